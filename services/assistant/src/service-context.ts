import { microsecondTicker } from '@parley/clock';
import { type SignedTokens, type Encryptor, encryptor as createEncryptor, signedTokens } from '@parley/secrets';
import type { StatefulService } from '@parley/service';
import type { Config } from './config.ts';
import { type Directory, directoryClient } from './peers/directory-client.ts';
import { type Numbers, numbersClient } from './peers/numbers-client.ts';
import { type Speech, speechClient } from './peers/speech-client.ts';

type Peers = 'directory' | 'numbersRouting' | 'callControl' | 'messagingInbox' | 'speech';

/** What the nouns of this service are opened with. */
export interface ServiceContext extends StatefulService<Peers, true> {
  readonly config: Config;
  readonly directory: Directory;
  readonly numbers: Numbers;
  readonly speech: Speech;
  readonly encryptor: Encryptor;
  readonly cursors: SignedTokens;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

export function openServiceContext(service: StatefulService<Peers, true>, config: Config): ServiceContext {
  const { clock, peers } = service;
  return {
    ...service,
    config,
    directory: directoryClient(peers.directory),
    numbers: numbersClient(peers.numbersRouting),
    speech: speechClient(peers.speech),
    encryptor: createEncryptor(config.ENCRYPTION_KEY),
    cursors: signedTokens(config.ENCRYPTION_KEY, 'parley assistant cursors'),
    tick: microsecondTicker(clock),
  };
}
