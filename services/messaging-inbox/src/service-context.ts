import { microsecondTicker } from '@parley/clock';
import { cachedAnswers } from '@parley/events';
import { type ErasedPeople, openErasedPeople } from '@parley/personal-data';
import { type Encryptor, encryptor as createEncryptor } from '@parley/secrets';
import type { StatefulService } from '@parley/service';
import type { Config } from './config.ts';
import { type Directory, directoryClient } from './directory/directory-client.ts';
import { type Numbers, numbersClient } from './numbers/numbers-client.ts';

/** What the nouns of this service are opened with. */
export interface ServiceContext extends StatefulService<
  'assistant' | 'callControl' | 'directory' | 'identity' | 'numbersRouting',
  true
> {
  readonly config: Config;
  readonly directory: Directory;
  readonly numbers: Numbers;
  readonly encryptor: Encryptor;
  readonly erased: ErasedPeople;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

/** How old an answer may be whether a person was erased; an erasure waits as long. */
const ERASED_CACHED_MS = 1000;

/** After these, what directory and numbers-routing have answered may be outdated. */
const ANSWER_EVENTS = [
  'directory.company.*',
  'directory.employee.*',
  'numbers-routing.number.*',
  'numbers-routing.registration.*',
];

export async function openServiceContext(
  service: Pick<ServiceContext, keyof StatefulService<string, true>>,
  config: Config,
): Promise<ServiceContext> {
  const { backgroundWork, broker, clock, db, peers, telemetry } = service;
  const answers = await cachedAnswers(broker, { events: ANSWER_EVENTS, cachedMs: config.PEER_CACHE_MS });
  const erased = await openErasedPeople({
    db,
    keys: config.ENCRYPTION_KEY,
    clock,
    backgroundWork,
    log: telemetry.log,
    cachedMs: ERASED_CACHED_MS,
  });
  service.stopLater('erased people', erased);
  return {
    ...service,
    config,
    directory: directoryClient(peers.directory, answers),
    numbers: numbersClient(peers.numbersRouting, answers, clock),
    encryptor: createEncryptor(config.ENCRYPTION_KEY),
    erased,
    tick: microsecondTicker(clock),
  };
}
