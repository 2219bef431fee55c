// only: swift6
// expect: main actor-isolated
import VignetteUI

func mainActorFromOutside(_ retry: ImageRetryAction) {
  retry()
}
