import type { Event } from '@parley/events';
import type { Channel } from '@parley/rpc';
import {
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';
import { testCredentials } from './test-credentials.ts';
import { testMails } from './test-mails.ts';
import { testOwners } from './test-owners.ts';
import { startTestPushService, type TestPushService } from './test-push-service.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';

/** Two replicas of messaging-inbox, a fake SMS provider and a fake push service. */
export interface TestMessagingInbox extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
  readonly provider: TestProvider;
  /** The records that a rebuild of the inbox reads from other services. */
  readonly owners: Pick<ReturnType<typeof testOwners>, 'calls' | 'voicemails' | 'sessions' | 'contacts'>;
  readonly mails: Pick<ReturnType<typeof testMails>, 'sent' | 'refuse'>;
  readonly credentials: Pick<ReturnType<typeof testCredentials>, 'expire'>;
  readonly pushService: TestPushService;
  /** To each replica, as the gateway. */
  readonly replicas: readonly [Channel, Channel];
  /** Every message event the service has published so far, oldest first. */
  readonly events: readonly Event[];
}

export async function startMessagingInbox(settings: Record<string, string> = {}): Promise<TestMessagingInbox> {
  const [directory, numbers] = [fakeDirectory(), fakeNumbersRouting()];
  const owners = testOwners();
  const mails = testMails();
  const credentials = testCredentials();
  const provider = await startTestProvider();
  const pushService = await startTestPushService();
  const inbox = await startServiceForTest(service, {
    peers: {
      directory: [...directory.contracts, owners.directory],
      'numbers-routing': numbers.contracts,
      'call-control': [owners.callControl, owners.callContents],
      identity: [mails.contract, credentials.contract],
      assistant: [owners.assistant],
    },
    follows: ['assistant', 'directory', 'identity', 'numbers-routing', 'call-control'],
    settings: {
      TELNYX_API_URL: provider.url,
      TELNYX_API_KEY: 'KEY_test',
      TELNYX_PUBLIC_KEY: provider.publicKey,
      // The longest: a hundred texts at once take a busy machine seconds.
      TELNYX_TIMEOUT_MS: '15000',
      SANDBOX_URL: provider.url,
      ALLOWED_ORIGINS: pushService.url,
      // Tests change the answers of the peers without an event.
      PEER_CACHE_MS: '0',
      ...settings,
    },
  });
  const second = await inbox.replica();
  return {
    ...inbox,
    directory,
    numbers,
    provider,
    owners,
    mails,
    credentials,
    pushService,
    replicas: [inbox.as('gateway'), second.as('gateway')],
    events: await inbox.record('messaging-inbox.message.*'),
    async stop() {
      await inbox.stop();
      await provider.stop();
      await pushService.stop();
    },
  };
}
