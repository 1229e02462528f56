/** Why a simulated container waits, in a kubelet's words. Pure; container-timeline.ts knows that it waits. */
import type { Container, Pod } from "@kubewright/api/core/v1";
import type { ContainerMoment } from "./container-timeline.ts";

/** The moment with the message that a kubelet would give. */
export function withWords(moment: ContainerMoment, container: Container, pod: Pod): ContainerMoment {
  const reason = moment.state.waiting?.reason;
  const message = reason === undefined ? undefined : wordsFor(reason, moment, { container, pod });
  return message === undefined ? moment : { ...moment, state: { waiting: { ...moment.state.waiting, message } } };
}

function wordsFor(
  reason: string,
  { waitMs = 0 }: ContainerMoment,
  { container, pod }: { readonly container: Container; readonly pod: Pod },
): string | undefined {
  const image = JSON.stringify(container.image ?? "");
  switch (reason) {
    case "CrashLoopBackOff":
      return `back-off ${durationWords(waitMs)} restarting failed container=${container.name} pod=${podWords(pod)}`;
    case "ErrImagePull":
      return pullProblem(container);
    case "ImagePullBackOff":
      return `Back-off pulling image ${image}: ErrImagePull: ${pullProblem(container)}`;
    case "InvalidImageName":
      return `Failed to apply default image tag ${image}: couldn't parse image name ${image}: invalid reference format`;
    default:
      return undefined;
  }
}

/** What the registry of a simulated node says of an image that cannot be pulled. */
export function pullProblem({ image }: Pick<Container, "image">): string {
  return `failed to pull and unpack image ${JSON.stringify(image ?? "")}: not found`;
}

/** "web-0_shop(1b9d6bcd-…)". */
export function podWords({ metadata }: Pod): string {
  return `${metadata?.name}_${metadata?.namespace}(${metadata?.uid})`;
}

/** As Go writes durations of whole seconds: "10s", "1m20s", "5m0s". */
function durationWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
