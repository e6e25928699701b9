/** What one service says about its background work. */
export interface MemberReport {
  readonly instance: string;
  readonly service: string;
  /** Under way, due or waiting in a queue. */
  readonly busy: number;
  /** Since the service started. */
  readonly finished: number;
}

/** One report of every service, asked for at the same time. */
export type Round = readonly MemberReport[];

/**
 * Whether nothing moves any more. One idle round is not enough: work can be on its way from a service that has
 * answered to one that has not. Two idle rounds of the same services, between which nothing was finished, are.
 */
export function isSettled(previous: Round | undefined, current: Round): boolean {
  return previous !== undefined && isIdle(previous) && isIdle(current) && progressOf(previous) === progressOf(current);
}

/** Who is still at work. */
export function busyMembers(round: Round): Round {
  return round.filter((member) => member.busy > 0);
}

const isIdle = (round: Round): boolean => busyMembers(round).length === 0;

const progressOf = (round: Round): string =>
  round
    .map(({ instance, finished }) => `${instance}=${finished}`)
    .sort()
    .join(' ');
