import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { integer, text } from '../../expectations/shapes.ts';
import { Cable } from '../../world/cable.ts';
import { prepared } from '../../world/prepared.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { CALLS, live } from './live.ts';

const { must } = checksOf('live-channel');
const CABLE = { source: 'decisions.md: Live channel', profile: 'api' } as const;
const FULL = { source: 'decisions.md: Live channel', profile: 'full' } as const;

export const protocolChecks: readonly Check[] = [
  must(1, 'The live channel speaks Action Cable, and welcomes first.', CABLE, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      await cable.gets({ type: 'welcome' });
      expect(cable.received[0], { type: 'welcome' }, 'the first message');
      expect(cable.protocol, 'actioncable-v1-json', 'the protocol of the connection');
    });
  }),

  must(2, 'The live channel pings every three seconds.', CABLE, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      await eventually('two pings', () => {
        expect(cable.pings.length >= 2, true, 'whether two pings came');
        return Promise.resolve();
      });
      expect(cable.pings[0], { type: 'ping', message: integer }, 'the first ping');
      const pause = cable.pings[1].message - cable.pings[0].message;
      expectThat(pause >= 2 && pause <= 5, `the second ping says that it is ${pause} s after the first`);
    });
  }),

  must(3, 'A subscription is confirmed with its identifier.', CABLE, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      await cable.subscribes(CALLS);
    });
  }),

  must(4, 'A channel that does not exist is rejected, and the connection stays.', CABLE, async (context) => {
    const company = await context.companies.shared();
    await live(context, company, async (cable) => {
      const identifier = await cable.asksFor({ channel: 'NobodysChannel' });
      await cable.gets({ type: 'reject_subscription', identifier });
      await cable.subscribes(CALLS);
    });
  }),

  must(5, 'Without a credential nobody is welcome, and the reason is said.', CABLE, async (context) => {
    const company = await context.companies.shared();
    const credentials: Record<string, string>[] = [
      {},
      { 'X-Api-Key': `pk_${freshWord()}` },
      { Authorization: `Bearer ${freshWord()}` },
    ];
    for (const headers of credentials)
      await live(context, company.withHeaders(headers), async (cable) => {
        await cable.gets({ type: 'disconnect', reason: text });
        await cable.isEnded();
        expect(
          cable.received.some(({ type }) => type === 'welcome'),
          false,
          'whether it was welcomed',
        );
      });
  }),

  must(6, 'A credential in the address that is none is refused.', CABLE, async ({ network, target }) => {
    await Cable.with(
      network,
      target.baseUrl,
      {},
      async (cable) => {
        await cable.gets({ type: 'disconnect', reason: text });
        await cable.isEnded();
      },
      `/cable?token=${freshWord()}`,
    );
  }),

  must(
    7,
    'A revoked key ends its connections.',
    { source: 'people.md: Sensitive changes', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const { id, api_key: key } = await prepared(
        context.operator.post(`/employees/${company.owner.id}/api_keys`, { name: 'Conformance' }),
        201,
      );
      await live(context, company.withHeaders({ 'X-Api-Key': key }), async (cable) => {
        await cable.subscribes(CALLS);
        await context.operator.delete(`/api_keys/${id}`).givesNothing();
        await cable.isEnded();
      });
    },
  ),

  must(
    8,
    'The channel of the team can be subscribed to by everybody.',
    { source: 'partner-kit.md: Live channel: `EventsChannel`', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const member = await company.hire({ role: 'member' });
      await live(context, member, async (cable) => {
        await cable.subscribes({ channel: 'TeamChannel' });
        await cable.subscribes(CALLS);
      });
    },
  ),

  must(9, 'Somebody who unsubscribes gets nothing more.', FULL, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const { number } = await company.number();
    await live(context, company, async (cable) => {
      const identifier = await cable.subscribes(CALLS);
      cable.send({ command: 'unsubscribe', identifier });
      const other = await cable.subscribes({ channel: 'TeamChannel' });
      await live(context, company, async (second) => {
        const calls = await second.subscribes(CALLS);
        await context.sandbox.text('+4520123456', number, 'Hello');
        await second.gets({ identifier: calls, message: { type: 'sms_update' } });
      });
      expect(cable.messages(identifier), [], 'what came after the end of the subscription');
      expect(other === identifier, false, 'whether both subscriptions have one identifier');
    });
  }),
];
