import { describe, expect, it } from '@jest/globals';
import { soak } from './soak.ts';

describe('a sender that is killed again and again, with receivers that fail a fifth of the time', () => {
  it('a sender that is killed again and again, with receivers that fail a fifth of the time delivers everything, in order within each contact, with six attempts at the most', async () => {
    const report = await soak({
      receivers: 8,
      eventsPerReceiver: 60,
      eventsPerContact: 5,
      eventsPerSecond: 50,
      failShare: 0.2,
      kills: 4,
    });
    expect(report).toMatchObject({ events: 480, kills: 4, undelivered: 0, inversions: 0 });
    expect(report.attemptsMax).toBeLessThanOrEqual(6);
    expect(report.requests).toBeGreaterThan(480);
  }, 300_000);
});
