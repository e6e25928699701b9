import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { killProcesses } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { underStress } from '../support/stress.ts';
import { type AuditedChanges, startAuditedChanges } from './audited-changes.ts';
import { type ContactChanges, startContactChanges } from './contact-changes.ts';
import { startTextSends, type TextSends } from './text-sends.ts';

const KILLS = underStress(6, 60);
/** Each kill is followed by a wait until everything is healthy: seconds, but more than a minute on a machine that is busy. */
const LIMIT_MS = underStress(600_000, 1_800_000);

/** Contacts, texts and settings under the same kills: each restart of a process costs seconds. */
export function testAnyProcess(stack: LocalStack): void {
  let contacts: ContactChanges;
  let texts: TextSends;
  let settings: AuditedChanges;
  const stop = () => Promise.all([contacts?.stop(), texts?.stop(), settings?.stop()]);

  beforeAll(async () => {
    contacts = await startContactChanges(stack);
    texts = await startTextSends(stack);
    settings = await startAuditedChanges(stack);
    // The provider of texts and the receiver of webhooks are in the sandbox's memory, which is not killed.
    const [sandboxProcess] = processesOfService(stack, 'sandbox');
    await killProcesses(stack, { kills: KILLS, spare: [sandboxProcess] });
    await stop();
  }, LIMIT_MS);
  // Also when a kill has failed.
  afterAll(stop, LIMIT_MS);

  it(
    'the audit log has every acknowledged change of settings once after kills, by whom and with what, and nothing else',
    async () => {
      expect(settings.acknowledged()).toBeGreaterThan(2 * KILLS);
      await settings.verify();
    },
    LIMIT_MS,
  );

  it(
    'a killed process submits every text at most once, loses none, and marks no sent text as failed',
    () => texts.verify(),
    LIMIT_MS,
  );

  it(
    'a killed process loses no acknowledged change of a contact, delivers every one, and applies none twice',
    async () => {
      expect(contacts.acknowledged()).toBeGreaterThan(10 * KILLS);
      await contacts.verify();
    },
    LIMIT_MS,
  );
}
