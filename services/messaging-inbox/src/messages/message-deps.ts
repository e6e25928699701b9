import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { RollingLimit } from '@parley/store';
import type { Directory } from '../directory/directory-client.ts';
import type { Numbers } from '../numbers/numbers-client.ts';
import type { OptOuts } from '../opt-outs/opt-out-store.ts';
import type { AttemptOutcomes } from './attempt-outcomes.ts';
import type { Message } from './message.ts';
import type { Messages } from './message-store.ts';
import type { MessageViews } from './message-views.ts';

/** What the RPCs of messages work with. */
export interface MessageDeps {
  readonly messages: Messages;
  readonly views: MessageViews;
  readonly outcomes: AttemptOutcomes;
  readonly optOuts: OptOuts;
  readonly numbers: Numbers;
  readonly directory: Directory;
  readonly encryptor: Encryptor;
  /** Sends and retries of a business number together. */
  readonly sendLimit: Pick<RollingLimit, 'take'>;
  readonly onStored: OnMessageStored;
  readonly clock: Clock;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

/** Called after a message was stored and before its request is answered, so that the inbox shows it from then on. */
export type OnMessageStored = (message: Message) => Promise<void>;
