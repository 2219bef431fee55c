// expect: cannot assign to property: 'imageRetry' setter is inaccessible
import SwiftUI
import VignetteUI

func retryIsReadOnly(_ values: inout EnvironmentValues, _ retry: ImageRetryAction) {
  values.imageRetry = retry
}
