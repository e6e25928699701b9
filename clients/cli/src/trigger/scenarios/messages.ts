import { NotFoundError } from '@parley/sdk';
import { dataOf, type Scenario } from '../scenario.ts';
import type { Line, Stage } from '../stage.ts';

/** A number of a company that may text; texting is switched on while it is needed. */
async function textingLine(stage: Stage): Promise<Line> {
  const { parley, companyId, signal } = stage;
  const isOff = await parley.textSnippets.list({ signal }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof NotFoundError) return true;
      throw error;
    },
  );
  if (isOff) {
    await stage.operate('PATCH', `/companies/${companyId}`, { messaging_enabled: true });
    stage.later('texting', () => stage.operate('PATCH', `/companies/${companyId}`, { messaging_enabled: false }));
    await stage.until('texting', () =>
      parley.textSnippets.list({ signal }).then(
        () => true,
        () => false,
      ),
    );
  }
  return stage.line({ type: 'RejectConfig', message: 'Goodbye.' });
}

/** What the provider was asked to send. */
interface Submitted {
  readonly provider_id: string;
  readonly from: string;
}

export const messageScenarios = {
  'message.received': {
    description: 'A customer sends a text.',
    async run(stage) {
      const { number } = await textingLine(stage);
      const from = stage.customer();
      await stage.play('POST', '/messages', { from, to: number, text: 'Are you open on Saturday?' });
      return (event) => dataOf(event).message?.from === from;
    },
  },
  'message.status_changed': {
    description: 'A text is sent to a customer, and delivered.',
    async run(stage) {
      const line = await textingLine(stage);
      const to = stage.customer();
      const { signal } = stage;
      const { id } = await stage.parley.messages.send(line.id, { to, text: 'Yes, from ten to two.' }, { signal });
      const sent = () => stage.play<Submitted[]>('GET', `/messages?to=${encodeURIComponent(to)}`);
      const isOurs = ({ from }: Submitted) => from === line.number;
      const { provider_id: providerId } = await stage.until('the text at the provider', async () =>
        (await sent()).find(isOurs),
      );
      await stage.play('POST', `/messages/${encodeURIComponent(providerId)}/delivery_report`, { status: 'delivered' });
      return (event) => dataOf(event).message?.id === id && dataOf(event).message.status === 'delivered';
    },
  },
} satisfies Record<string, Scenario>;
