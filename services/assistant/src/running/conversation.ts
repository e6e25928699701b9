import type { Clip, PlayoutQueue } from '@parley/sip';
import type { Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Answer, EngineInUse } from '../engine/answer.ts';
import type { Action, ActionResult, EmbeddedEngine, Expectation, Heard, Sentence } from '../engine/engine.ts';
import type { Destination, LoadedFacts } from '../facts/loaded-facts.ts';
import type { Usage } from '../sessions/session.ts';
import type { SessionContent } from '../sessions/session-content.ts';
import type { ActionItem, SessionEventName, TurnItem } from '../sessions/session-item.ts';
import type { AudioEvent } from '../turn-taking/turn-taking.ts';
import type { ItemLog, LoggedItem } from './item-log.ts';
import { perform, type Performed, type SessionWork } from './session-work.ts';
import { type SentenceAudio, SpeechUnavailable, TurnPlayback } from './turn-playback.ts';

/** What another process needs to continue a conversation. */
export interface StoredConversation {
  readonly state: unknown;
  readonly usage: Usage;
  /** Of the last report to call-control. */
  readonly revision: number;
}

/** What is stored of a conversation after each turn. */
export interface ConversationProgress {
  readonly itemCount: number;
  readonly engine: EngineInUse;
  readonly state: 'talking' | 'transferring';
  readonly usage: Usage;
  readonly content: SessionContent;
  readonly isFlushed: boolean;
}

export interface ConversationDeps {
  readonly engine: EmbeddedEngine<unknown>;
  readonly answer: Answer;
  readonly playout: PlayoutQueue;
  readonly audio: SentenceAudio;
  readonly items: ItemLog;
  readonly work: SessionWork;
  readonly loadFacts: () => Promise<LoadedFacts>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly content: SessionContent;
  readonly sessionId: string;
  readonly engineInUse: EngineInUse;
  readonly save: (progress: ConversationProgress) => Promise<void>;
  readonly noteUse: (entryIds: readonly string[]) => void;
  readonly noteUnanswered: (text: string) => void;
  /** How much audio the session has had. */
  readonly audioMs: () => number;
  readonly takeEvent: (event: AudioEvent) => void;
  /** The caller is not to be heard until the session is told so. */
  readonly stopListening: () => void;
}

/** When the caller spoke, in the session's audio. */
interface Said {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface Input {
  readonly heard: Heard;
  readonly said?: Said;
}

/** Sentences that must be heard are waited for this long, to know how long they are. */
const PROTECTED_WAIT_MS = 500;

/** A conversation with a caller: one input after the other is answered, spoken and done. */
export class Conversation {
  readonly #deps: ConversationDeps;
  #state: unknown;
  #content: SessionContent;
  #engine: EngineInUse;
  #usage: Usage;
  #revision: number;
  #reported = '';
  readonly #inputs: Input[] = [];
  #working: Promise<void> | undefined;
  #playback: TurnPlayback | undefined;
  #playbackItem: LoggedItem<TurnItem> | undefined;
  /** What the caller said last ended here, until the answer is heard. */
  #askedAtMs: number | undefined;
  /** What was heard of an answer that the caller interrupted. */
  #interrupted: string | undefined;
  #transfer:
    | { readonly action: Action; readonly item: LoggedItem<ActionItem>; readonly loaded: LoadedFacts }
    | undefined;
  #isEnding = false;
  /** The answer that is being decided. */
  #answering: AbortController | undefined;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    this.#content = deps.content;
    this.#engine = deps.engineInUse;
    const before = deps.content.conversation as StoredConversation | null;
    this.#state = before ? before.state : deps.engine.createState(deps.sessionId);
    this.#usage = before?.usage ?? { turns: 0, inputTokens: 0, outputTokens: 0, costMicros: null };
    this.#revision = before?.revision ?? 0;
  }

  /** Caller and assistant are connected: for the first time, or again. */
  begin(): void {
    if (this.#content.conversation === null) return this.hear({ kind: 'begin' });
    this.noteEvent('resumed', null);
    this.hear({ kind: 'resumed' });
  }

  hear(heard: Heard, said?: Said): void {
    if (this.#isEnding) return;
    if (said) this.#askedAtMs = said.endedAtMs;
    // The caller goes on before anything was answered: all of it is answered together.
    if (heard.kind === 'words' && !this.#playback) this.#answering?.abort();
    this.#inputs.push({ heard, ...(said && { said }) });
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  noteEvent(event: SessionEventName, detail: string | null): void {
    this.#deps.items.add({ type: 'event', event, detail, at: this.#deps.clock.now() });
  }

  /** A frame was played: the first one of an answer says how long the caller has waited. */
  onFrame(): void {
    const item = this.#playbackItem;
    if (!item || !this.#playback?.hasBegun) return;
    this.#playbackItem = undefined;
    const responseMs = this.#askedAtMs === undefined ? null : Math.round(this.#deps.audioMs() - this.#askedAtMs);
    this.#askedAtMs = undefined;
    item.change({ startedAt: this.#deps.clock.now(), responseMs });
  }

  onPlayed(clip: Clip): void {
    this.#playback?.onPlayed(clip);
  }

  stopPlayback(): void {
    this.#playback?.stop();
  }

  resumePlayback(): void {
    this.#playback?.resume();
  }

  dropPlayback(): void {
    this.#playback?.drop();
    this.#answering?.abort();
  }

  /** An employee has answered: they hear who calls, and are connected then. */
  whisper(actionId: string): void {
    const transfer = this.#transfer;
    if (transfer?.action.id !== actionId) return;
    const text = this.#deps.engine.whisper(transfer.action, transfer.loaded.facts);
    this.#speakWhisper(actionId, text).catch((error: unknown) => this.#warn(error));
  }

  transferEnded(actionId: string, result: ActionResult): void {
    const transfer = this.#transfer;
    if (transfer?.action.id !== actionId) return;
    this.#transfer = undefined;
    this.#playback?.drop();
    transfer.item.change({ result, endedAt: this.#deps.clock.now() });
    if (result === 'connected') return void this.#save().catch((error: unknown) => this.#warn(error));
    this.hear({ kind: 'action_result', actionId, result });
  }

  /** The caller goes on without the assistant. */
  handOver(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.dropPlayback();
    this.noteEvent('fallback', reason);
    this.#deps.work.runFallback(reason).catch((error: unknown) => this.#warn(error));
  }

  /** All that is left is stored. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#inputs.length = 0;
    this.dropPlayback();
    await this.#working;
    if (this.#transfer) this.#transfer.item.change({ endedAt: this.#deps.clock.now() });
    await this.#save(true);
  }

  async #work(): Promise<void> {
    for (let input = this.#inputs.shift(); input && !this.#isEnding; input = this.#inputs.shift()) {
      try {
        await this.#respond(input);
      } catch (error) {
        this.#warn(error);
        this.handOver(error instanceof SpeechUnavailable ? 'speech_unavailable' : 'failed');
      }
    }
  }

  async #respond({ heard, said }: Input): Promise<void> {
    const { answer, items, clock, engine } = this.#deps;
    const loaded = await this.#deps.loadFacts();
    const { facts } = loaded;
    this.#content = { ...this.#content, callerName: facts.caller.name, contactId: loaded.contactId };
    if (heard.kind === 'keys') items.add({ type: 'key', key: heard.digits, at: clock.now() });
    if (heard.kind === 'silence') this.noteEvent('silence', null);
    if (heard.kind === 'time_warning') this.noteEvent('limit_warning', null);
    if (heard.kind === 'begin') this.noteEvent('disclosed', null);
    if (this.#interrupted !== undefined) {
      const interruption = { kind: 'interrupted', spoken: this.#interrupted } as const;
      this.#interrupted = undefined;
      this.#state = engine.decideTurn(this.#state, facts, interruption, { vector: null }).state;
    }
    const speech = this.#beginTurn();
    const answering = new AbortController();
    this.#answering = answering;
    const turn = await answer(this.#state, facts, heard, {
      heardAs: (text, isMasked) => this.#noteCaller(text, isMasked, said),
      say: (sentence, by) => speech.say(sentence, by),
      note: (event, detail) => this.noteEvent(event, detail),
      used: ({ input, output, costMicros }) => {
        const { inputTokens, outputTokens, costMicros: before } = this.#usage;
        const cost = costMicros === null ? before : (before ?? 0) + costMicros;
        this.#usage = {
          ...this.#usage,
          inputTokens: inputTokens + input,
          outputTokens: outputTokens + output,
          costMicros: cost,
        };
      },
      signal: answering.signal,
    });
    this.#state = turn.state;
    this.#answering = undefined;
    this.#engine = turn.engine;
    if (turn.unanswered !== null) this.#deps.noteUnanswered(turn.unanswered);
    await this.#save();
    const isHeard = await speech.finish(turn.expects);
    if (heard.kind === 'begin') this.noteEvent('greeting', null);
    if (turn.action && isHeard) await this.#perform(turn.action, loaded);
    else await this.#save();
    this.#report();
  }

  #noteCaller(text: string, isMasked: boolean, said: Said | undefined): void {
    const { items, clock, audioMs } = this.#deps;
    const at = (ms: number) => new Date(clock.now().getTime() - (audioMs() - ms));
    const now = clock.now();
    this.#usage = { ...this.#usage, turns: this.#usage.turns + 1 };
    items.add<TurnItem>({
      type: 'turn',
      speaker: 'caller',
      text,
      spoken: null,
      interrupted: false,
      engine: null,
      sources: [],
      responseMs: null,
      startedAt: said ? at(said.startedAtMs) : now,
      endedAt: said ? at(said.endedAtMs) : now,
    });
    if (isMasked) this.noteEvent('masked', null);
  }

  /** What the assistant says in one turn: sentences are played while further ones are decided. */
  #beginTurn() {
    const { playout, audio, items, clock, takeEvent, audioMs, noteUse } = this.#deps;
    const playback = new TurnPlayback(playout, audio);
    let item: LoggedItem<TurnItem> | undefined;
    const begin = (sentence: Sentence, engine: EngineInUse) => {
      this.#playback = playback;
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
      this.#playbackItem = item;
    };
    return {
      say: (sentence: Sentence, engine: EngineInUse): void => {
        if (!item) begin(sentence, engine);
        else {
          const { text, sources } = item.current;
          const all = [...sources, ...sourcesOf(sentence)];
          // Of several engines the last one has answered: the others were waited for, or have failed.
          item.change({ text: `${text} ${sentence.text}`, sources: all, engine });
        }
        playback.add(sentence);
        noteUse(sourcesOf(sentence).flatMap(({ type, id }) => (type === 'knowledge_entry' && id ? [id] : [])));
        if (playback.sentences.length === 1)
          takeEvent({
            kind: 'playback_began',
            atMs: audioMs(),
            // Corrected at the end of the turn, when the length of what must be heard is known.
            protectedMs: sentence.interruptible ? 0 : Infinity,
            expects: 'anything',
          });
      },
      /** Whether all of it was heard. */
      finish: async (expects: Expectation): Promise<boolean> => {
        playback.finish();
        if (item) {
          const protectedMs = await protectedPart(playback);
          takeEvent({ kind: 'playback_began', atMs: audioMs(), protectedMs, expects });
          await playback.over;
          const spoken = playback.spoken;
          item.change({ spoken, interrupted: playback.isDropped, endedAt: clock.now() });
          if (playback.isDropped) this.#interrupted = spoken;
        }
        this.#playback = undefined;
        if (!playback.isDropped) takeEvent({ kind: 'playback_ended', atMs: audioMs(), expects });
        return !playback.isDropped;
      },
    };
  }

  async #perform(action: Action, loaded: LoadedFacts): Promise<void> {
    const { items, clock, work } = this.#deps;
    if (action.name === 'hand_over') this.noteEvent('fallback', action.reason);
    const isShown = action.name !== 'hand_over' || action.reason === 'requested';
    const item = isShown
      ? items.add<ActionItem>({
          type: 'action',
          action: action.name,
          arguments: action.arguments,
          target: targetOf(action, loaded.destinations),
          result: null,
          startedAt: clock.now(),
          endedAt: null,
        })
      : undefined;
    if (action.name === 'transfer_call' && item) {
      this.#transfer = { action, item, loaded };
      this.#deps.stopListening();
    }
    const isLast = action.name === 'hand_over' || action.name === 'end_call';
    if (isLast) this.#isEnding = true;
    await this.#save();
    const performed = await perform(work, action, loaded).catch((error: unknown): Performed => {
      this.#warn(error);
      return { result: 'failed' };
    });
    if (performed.message) this.#content = { ...this.#content, message: performed.message };
    if (performed.result === 'pending') return;
    this.#transfer = undefined;
    item?.change({ result: performed.result, endedAt: clock.now() });
    await this.#save();
    if (!isLast) this.hear({ kind: 'action_result', actionId: action.id, result: performed.result });
  }

  async #speakWhisper(actionId: string, text: string): Promise<void> {
    const playback = new TurnPlayback(this.#deps.playout, this.#deps.audio);
    this.#playback = playback;
    playback.add({ text, key: null, sources: [], interruptible: false });
    playback.finish();
    // Without a voice they are connected all the same.
    await playback.over.catch((error: unknown) => this.#warn(error));
    await this.#deps.work.finishWhisper(actionId).catch((error: unknown) => this.#warn(error));
  }

  async #save(isFlushed = false): Promise<void> {
    const { items, save } = this.#deps;
    const conversation: StoredConversation = { state: this.#state, usage: this.#usage, revision: this.#revision };
    this.#content = { ...this.#content, conversation };
    await items.flush();
    await save({
      itemCount: items.count,
      engine: this.#engine,
      state: this.#transfer ? 'transferring' : 'talking',
      usage: this.#usage,
      content: this.#content,
      isFlushed,
    });
  }

  /** Tells call-control what would become of the session now, where that has changed. */
  #report(): void {
    const outcome = this.#deps.engine.outcomeIfLeft(this.#state);
    const report = `${this.#engine} ${outcome}`;
    if (report === this.#reported) return;
    this.#reported = report;
    this.#revision += 1;
    this.#deps.work.report(this.#engine, outcome, this.#revision).catch((error: unknown) => {
      this.#reported = '';
      this.#warn(error);
    });
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error, session: this.#deps.sessionId }, 'a step of a session failed');
  }
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

function targetOf(action: Action, destinations: ReadonlyMap<string, Destination>): ActionItem['target'] {
  const id = 'target' in action.arguments ? action.arguments.target : undefined;
  const destination = id === undefined ? undefined : destinations.get(id);
  return id === undefined || !destination ? null : { id, name: destination.name };
}
