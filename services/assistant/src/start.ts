import { addPersonalDataService, companyErasure, erasureOf, eventSteps, followRetention } from '@parley/personal-data';
import { type Lifecycle, openStatefulService } from '@parley/service';
import type { Config } from './config.ts';
import { migrations } from './migrations.ts';

export const SERVICE = 'assistant';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      migrations,
      peers: {
        directory: config.DIRECTORY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        messagingInbox: config.MESSAGING_INBOX_ADDRESS,
        speech: config.SPEECH_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const { db, relay } = service;
  await followRetention(service, []);
  await service.serve((server) => {
    addPersonalDataService(server, {
      erase: erasureOf(eventSteps({ db, removal: relay.removal, keeps: async () => true })),
      eraseCompany: companyErasure({ db, removal: relay.removal }),
    });
  });
}
