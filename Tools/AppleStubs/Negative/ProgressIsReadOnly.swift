// expect: cannot assign to property: 'asyncImageProgress' setter is inaccessible
import SwiftUI
import VignetteUI

func progressIsReadOnly(_ values: inout EnvironmentValues) {
  values.asyncImageProgress = nil
}
