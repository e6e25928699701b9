/** A service's report on its background work. */
export interface MemberReport {
  readonly instance: string;
  readonly service: string;
  /** Running, due or queued. */
  readonly busy: number;
  /** Since the service started. */
  readonly finished: number;
}

/** One report from every service, requested at the same time. */
export type Round = readonly MemberReport[];

/**
 * Decides whether all work has finished. One idle round is not enough: work can be in transit from a service that has reported to
 * one that has not. Two idle rounds of the same services, with nothing finished in between, are.
 */
export function isSettled(previous: Round | undefined, current: Round): boolean {
  return previous !== undefined && isIdle(previous) && isIdle(current) && progressOf(previous) === progressOf(current);
}

/** The members that are still busy. */
export function busyMembers(round: Round): Round {
  return round.filter((member) => member.busy > 0);
}

const isIdle = (round: Round): boolean => busyMembers(round).length === 0;

const progressOf = (round: Round): string =>
  round
    .map(({ instance, finished }) => `${instance}=${finished}`)
    .sort()
    .join(' ');
