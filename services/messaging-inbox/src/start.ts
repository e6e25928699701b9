import { encryptionContexts } from './encryption-contexts.ts';
import { companyErasure, addPersonalDataService, followRetention } from '@parley/personal-data';
import { encryptor } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { addCommentService } from './comments/comment-rpcs.ts';
import type { Config } from './config.ts';
import { phoneOfThread } from './inbox/inbox-request.ts';
import { addInboxService } from './inbox/inbox-rpcs.ts';
import { startTexting } from './start-texting.ts';
import { migrationsWith } from './migrations.ts';
import { startNotifications } from './notifications/start-notifications.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { retentionSteps } from './personal-data/retention-steps.ts';
import { startRebuilds } from './rebuild/start-rebuilds.ts';
import { openServiceContext } from './service-context.ts';
import { openSnippets } from './snippets/snippet-store.ts';
import { addTextSnippetService } from './snippets/snippet-rpcs.ts';
import { startInbox } from './start-inbox.ts';

export const SERVICE = 'messaging-inbox';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      migrations: migrationsWith(encryptor(config.ENCRYPTION_KEY)),
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: encryptionContexts },
      peers: {
        assistant: config.ASSISTANT_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        directory: config.DIRECTORY_ADDRESS,
        identity: config.IDENTITY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const context = await openServiceContext(service, config);
  const inbox = await startInbox(context);
  const texting = await startTexting(context, inbox);
  const notifications = await startNotifications(context, inbox);
  const addRebuilds = await startRebuilds(context, inbox, texting);
  const snippets = await openSnippets(context.db, config.TEXT_SNIPPETS_MAX);
  await followRetention(service, retentionSteps({ ...inbox, ...texting }));
  await service.serve((server) => {
    texting.addServices(server);
    notifications.addServices(server);
    addRebuilds(server);
    addInboxService(server, context, inbox, texting);
    addCommentService(server, context, inbox, phoneOfThread({ ...context, ...inbox }));
    addTextSnippetService(server, { ...context, snippets });
    const { removal } = service.relay;
    addPersonalDataService(server, {
      erase: erasePerson({ ...context, ...inbox, ...texting, ...notifications, removal }),
      exportPerson: exportPerson({ ...inbox, ...texting }),
      eraseCompany: companyErasure({ db: service.db, removal }),
    });
  });
}
