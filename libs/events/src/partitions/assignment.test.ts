import { describe, expect, it } from '@jest/globals';
import { type Assignment, join, leave, partitionsOf, release, surplusOf, UNASSIGNED } from './assignment.ts';
import { allPartitions } from '../event/envelope.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const LEASE_MS = 10_000;
const joined = (assignment: Assignment, ...ids: string[]) =>
  ids.reduce((before, id) => join(before, id, now, LEASE_MS), assignment);
/** Every member hands its surplus over, then claims what is free. */
const balanced = (assignment: Assignment) => {
  const ids = assignment.members.map(({ id }) => id);
  const released = ids.reduce((before, id) => release(before, id, surplusOf(before, id)), assignment);
  return joined(released, ...ids);
};
const shares = (assignment: Assignment) => assignment.members.map(({ id }) => partitionsOf(assignment, id).length);

describe('an assignment', () => {
  it('an assignment gives the only replica all partitions', () => {
    expect(partitionsOf(joined(UNASSIGNED, 'a'), 'a')).toEqual(allPartitions);
  });

  it('an assignment gives a new replica nothing before another one has handed its surplus over', () => {
    const two = joined(UNASSIGNED, 'a', 'b');
    expect(partitionsOf(two, 'b')).toEqual([]);
    expect(surplusOf(two, 'a')).toHaveLength(8);
    expect(shares(balanced(two))).toEqual([8, 8]);
  });

  it('an assignment never has a partition read by two', () => {
    const three = balanced(joined(UNASSIGNED, 'a', 'b', 'c'));
    expect(shares(three)).toEqual([6, 5, 5]);
    expect(three.members.flatMap(({ id }) => partitionsOf(three, id)).toSorted((a, b) => a - b)).toEqual(allPartitions);
  });

  it('an assignment frees the partitions of a replica that left', () => {
    const two = balanced(joined(UNASSIGNED, 'a', 'b'));
    expect(partitionsOf(joined(leave(two, 'a'), 'b'), 'b')).toEqual(allPartitions);
  });

  it('an assignment takes over from a replica whose lease has ended, and not before', () => {
    const two = balanced(joined(UNASSIGNED, 'a', 'b'));
    expect(partitionsOf(join(two, 'b', later(LEASE_MS - 1), LEASE_MS), 'b')).toHaveLength(8);
    expect(partitionsOf(join(two, 'b', later(LEASE_MS), LEASE_MS), 'b')).toEqual(allPartitions);
  });

  it('an assignment leaves replicas beyond the number of partitions without any', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `m${String(i).padStart(2, '0')}`);
    const many = balanced(joined(UNASSIGNED, ...ids));
    expect(shares(many)).toEqual(ids.map((_, rank) => (rank < 16 ? 1 : 0)));
  });
});
