import type { PlayoutQueue } from '@parley/sip';
import type { Clock } from '@parley/clock';
import type { EngineInUse } from '../engine/answer.ts';
import type { Expectation, Sentence } from '../engine/engine.ts';
import type { TurnItem } from '../sessions/session-item.ts';
import type { AudioEvent } from '../turn-taking/turn-taking.ts';
import type { ItemLog, LoggedItem } from './item-log.ts';
import { type Filler, type SentenceAudio, TurnPlayback } from './turn-playback.ts';

export interface TurnSpeechDeps {
  readonly playout: PlayoutQueue;
  readonly audio: SentenceAudio;
  readonly items: ItemLog;
  readonly clock: Clock;
  readonly takeEvent: (event: AudioEvent) => void;
  readonly audioMs: () => number;
  readonly noteUse: (entryIds: readonly string[]) => void;
}

/** What the assistant says in one turn: sentences are played while further ones are decided. */
export interface TurnSpeech {
  say(sentence: Sentence, engine: EngineInUse): void;
  /** Whether all of it was heard. */
  finish(expects: Expectation): Promise<boolean>;
}

/** Sentences that must be heard are waited for this long, to know how long they are. */
const PROTECTED_WAIT_MS = 500;

export function speakTurn(
  { playout, audio, items, clock, takeEvent, audioMs, noteUse }: TurnSpeechDeps,
  on: {
    /** There is something to say. */
    begun(playback: TurnPlayback, item: LoggedItem<TurnItem>): void;
    over(playback: TurnPlayback): void;
  },
  filler?: Filler,
): TurnSpeech {
  let item: LoggedItem<TurnItem> | undefined;
  const playback = new TurnPlayback(playout, audio, filler && { ...filler, said: fillerSaid });

  function fillerSaid(): void {
    if (item && filler) item.change({ text: `${filler.sentence.text} ${item.current.text}` });
    filler?.said();
  }

  function begin(sentence: Sentence, engine: EngineInUse): void {
    item = items.add<TurnItem>({
      type: 'turn',
      speaker: 'assistant',
      text: sentence.text,
      spoken: '',
      interrupted: false,
      engine,
      sources: sourcesOf(sentence),
      responseMs: null,
      startedAt: clock.now(),
      endedAt: null,
    });
    on.begun(playback, item);
  }

  return {
    say(sentence, engine) {
      if (playback.isDropped) return;
      if (!item) begin(sentence, engine);
      else {
        const { text, sources } = item.current;
        const all = [...sources, ...sourcesOf(sentence)];
        // Of several engines the last one has answered: the others were waited for, or have failed.
        item.change({ text: `${text} ${sentence.text}`, sources: all, engine });
      }
      playback.add(sentence);
      noteUse(sourcesOf(sentence).flatMap(({ type, id }) => (type === 'knowledge_entry' && id ? [id] : [])));
      if (playback.sentences.length > 1) return;
      // Corrected at the end of the turn, when the length of what must be heard is known.
      const protectedMs = sentence.interruptible ? 0 : Infinity;
      takeEvent({ kind: 'playback_began', atMs: audioMs(), protectedMs, expects: 'anything' });
    },
    async finish(expects) {
      playback.finish();
      if (item) {
        const protectedMs = await protectedPart(playback);
        if (!playback.isDropped) takeEvent({ kind: 'playback_began', atMs: audioMs(), protectedMs, expects });
        await playback.over;
        item.change({ spoken: playback.spoken, interrupted: playback.isDropped, endedAt: clock.now() });
        on.over(playback);
      }
      if (!playback.isDropped) takeEvent({ kind: 'playback_ended', atMs: audioMs(), expects });
      return !playback.isDropped;
    },
  };
}

/** How much of what is played cannot be interrupted: as far as its audio is known. */
async function protectedPart(playback: TurnPlayback): Promise<number> {
  const { sentences } = playback;
  const first = sentences.findIndex(({ interruptible }) => interruptible);
  if (first === -1) return Infinity;
  return first === 0 ? 0 : playback.lengthOf(first, PROTECTED_WAIT_MS);
}

const sourcesOf = ({ sources }: Sentence): TurnItem['sources'] =>
  sources.map(({ type, id }) => ({ type, ...(id !== null && { id }) }));
