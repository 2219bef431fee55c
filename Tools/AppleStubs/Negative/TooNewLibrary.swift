// expect: 'ContinuousClock' is only available in
func tooNewLibrary() -> Any { ContinuousClock() }
