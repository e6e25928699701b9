import { PARTITIONS } from '../event/envelope.ts';

/** A replica of a follower. Its claim on partitions ends with `until`, by the machine's clock. */
export interface Member {
  readonly id: string;
  readonly until: Date;
}

/** The reading replica of each partition. */
export interface Assignment {
  readonly members: readonly Member[];
  /** Member id by partition; null while it has no reader. */
  readonly owners: readonly (string | null)[];
}

export const UNASSIGNED: Assignment = { members: [], owners: Array.from({ length: PARTITIONS }, () => null) };

export function partitionsOf({ owners }: Assignment, id: string): number[] {
  return owners.flatMap((owner, partition) => (owner === id ? [partition] : []));
}

/** Extends a member's lease, removes members whose lease has ended, and claims free partitions up to the fair share. */
export function join(assignment: Assignment, id: string, now: Date, leaseMs: number): Assignment {
  const others = assignment.members.filter((member) => member.id !== id && member.until > now);
  const members = [...others, { id, until: new Date(now.getTime() + leaseMs) }].sort(byId);
  const alive = new Set(members.map((member) => member.id));
  const owners = assignment.owners.map((owner) => (owner !== null && alive.has(owner) ? owner : null));
  let missing = fairShare(members, id) - owners.filter((owner) => owner === id).length;
  return {
    members,
    owners: owners.map((owner) => (owner === null && missing-- > 0 ? id : owner)),
  };
}

/** The partitions that a member has to hand over because others have joined. */
export function surplusOf(assignment: Assignment, id: string): number[] {
  return partitionsOf(assignment, id).slice(fairShare(assignment.members, id));
}

export function release(assignment: Assignment, id: string, partitions: readonly number[]): Assignment {
  const owners = assignment.owners.map((owner, partition) =>
    owner === id && partitions.includes(partition) ? null : owner,
  );
  return { ...assignment, owners };
}

/** Removes a member that has stopped or crashed; its partitions are free immediately. */
export function leave({ members, owners }: Assignment, id: string): Assignment {
  return {
    members: members.filter((member) => member.id !== id),
    owners: owners.map((owner) => (owner === id ? null : owner)),
  };
}

/** Shares differ by one at most and sum up to all partitions. */
function fairShare(members: readonly Member[], id: string): number {
  const rank = members.findIndex((member) => member.id === id);
  const share = Math.floor(PARTITIONS / members.length);
  return rank < PARTITIONS % members.length ? share + 1 : share;
}

function byId(a: Member, b: Member): number {
  return a.id < b.id ? -1 : 1;
}
