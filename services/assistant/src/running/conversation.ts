import { setTimeout as sleep } from 'node:timers/promises';
import type { Clip, PlayoutQueue } from '@parley/sip';
import type { Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Answer, EngineInUse } from '../engine/answer.ts';
import type { Action, ActionResult, EmbeddedEngine, Heard, Sentence, SessionFacts } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import { isOutdated, type Usage, withTokens } from '../sessions/session.ts';
import type { SessionContent } from '../sessions/session-content.ts';
import { callerTurn, type SessionEventName, type TurnItem } from '../sessions/session-item.ts';
import type { AudioEvent } from '../turn-taking/turn-taking.ts';
import type { ItemLog, LoggedItem } from './item-log.ts';
import { newActionItem, openAction, type OpenAction, storedAction, type StoredAction } from './open-action.ts';
import { madeAhead, sentencesOfResults } from './ringing-audio.ts';
import { perform, type Performed, type SessionWork } from './session-work.ts';
import { type Filler, type SentenceAudio, SpeechUnavailable, TurnPlayback } from './turn-playback.ts';
import { speakTurn, type TurnSpeech } from './turn-speech.ts';

/** What another process needs to continue a conversation. */
export interface StoredConversation {
  readonly state: unknown;
  readonly usage: Usage;
  /** Of the last report to call-control. */
  readonly revision: number;
  /** What was decided to be done, until its result is answered. */
  readonly open?: StoredAction;
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
  /** Has the audio of sentences made that are likely to be said. Nothing that a caller said may be among them. */
  readonly prepareAudio: (texts: readonly string[]) => void;
  /** Said while the audio of an answer is not there; another sentence each time. */
  readonly filler: (times: number) => Sentence;
  readonly fillerAfterMs?: number;
  /** How much audio the session has had. */
  readonly audioMs: () => number;
  readonly takeEvent: (event: AudioEvent) => void;
  /** The caller is not to be heard until the session is told the result of a transfer. */
  readonly stopListening: () => void;
}

/** When the caller spoke, in the session's audio. */
interface Said {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface Whisper {
  readonly sentence: Sentence;
  readonly audio: SentenceAudio;
}

interface Input {
  readonly heard: Heard;
  readonly said?: Said;
}

const REPORT_AGAIN_MS = 500;
/** On a machine that is busy; the caller hears something within four seconds. */
const FILLER_AFTER_MS = 2000;
/** What a caller waits to have answered. */
const ASKED: readonly Heard['kind'][] = ['words', 'keys', 'unrecognised'];
/** What is of no interest any more to a caller for whom somebody rings. */
const SAID: readonly Heard['kind'][] = ['words', 'unrecognised', 'interrupted', 'silence'];

/** A conversation with a caller: one input after the other is answered, spoken and done. */
export class Conversation {
  readonly #deps: ConversationDeps;
  #state: unknown;
  #content: SessionContent;
  #engine: EngineInUse;
  #usage: Usage;
  #revision: number;
  #reported = '';
  #inputs: Input[] = [];
  #working: Promise<void> | undefined;
  #playback: TurnPlayback | undefined;
  #playbackItem: LoggedItem<TurnItem> | undefined;
  /** What the caller said last ended here, until the answer is heard. */
  #askedAtMs: number | undefined;
  /** What was heard of an answer that the caller interrupted. */
  #interrupted: string | undefined;
  #open: OpenAction | undefined;
  /** What who answers hears. */
  #whisper: Whisper | undefined;
  /** As it was read last. */
  #loaded: LoadedFacts | undefined;
  #fillers = 0;
  #isEnding = false;
  readonly #over = new AbortController();
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
    this.#open = before?.open && openAction(deps.items, before.open);
  }

  /** Somebody rings, or hears who calls. */
  get isRinging(): boolean {
    return this.#open?.isRinging ?? false;
  }

  /** Caller and assistant are connected: for the first time, or again. */
  begin(): void {
    if (this.#content.conversation === null) return this.hear({ kind: 'begin' });
    this.noteEvent('resumed', null);
    this.hear({ kind: 'resumed' });
    const { action, result } = this.#open ?? {};
    if (action && result) this.hear({ kind: 'action_result', actionId: action.id, result });
  }

  hear(heard: Heard, said?: Said): void {
    if (this.#isEnding) return;
    if (said) this.#askedAtMs = said.endedAtMs;
    // The caller goes on before anything was answered: all of it is answered together.
    if (heard.kind === 'words' && !this.#playback) this.#answering?.abort();
    const input = { heard, ...(said && { said }) };
    // What became of an action is told before anything else is answered.
    if (heard.kind === 'action_result') this.#inputs.unshift(input);
    else this.#inputs.push(input);
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
    if (this.#open?.action.id !== actionId || !this.#whisper) return;
    this.#speakWhisper(actionId, this.#whisper).catch((error: unknown) => this.#warn(error));
  }

  transferEnded(actionId: string, result: ActionResult): void {
    const open = this.#open;
    if (open?.action.id !== actionId || open.result) return;
    if (open.isRinging) this.#playback?.drop();
    open.item?.change({ result, endedAt: this.#deps.clock.now() });
    this.#open = { ...open, isRinging: false, result };
    if (result === 'connected') return void this.#save().catch((error: unknown) => this.#warn(error));
    this.hear({ kind: 'action_result', actionId, result });
  }

  /** The caller goes on without the assistant. */
  handOver(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.dropPlayback();
    this.noteEvent('fallback', reason);
    this.#deps.work.runFallback(reason, this.#over.signal).catch((error: unknown) => this.#warn(error));
  }

  /** The leg has ended: nothing is said any more. */
  leave(): void {
    this.#isEnding = true;
    this.#over.abort();
    this.#inputs = [];
    this.dropPlayback();
  }

  /** All that is left is stored. */
  async end(): Promise<void> {
    this.leave();
    await this.#working;
    await this.#save(true);
  }

  async #work(): Promise<void> {
    for (let input = this.#inputs.shift(); input && !this.#isEnding; input = this.#inputs.shift()) {
      try {
        await this.#respond(input);
      } catch (error) {
        this.#warn(error);
        if (isOutdated(error)) return this.leave();
        this.handOver(error instanceof SpeechUnavailable ? 'speech_unavailable' : 'failed');
      }
    }
  }

  async #respond({ heard, said }: Input): Promise<void> {
    const { answer, items, clock, engine } = this.#deps;
    const loaded = await this.#load();
    if (this.#over.signal.aborted) return;
    const { facts } = loaded;
    this.#content = { ...this.#content, callerName: facts.caller.name, contactId: loaded.contactId };
    if (heard.kind === 'keys') items.add({ type: 'key', key: heard.digits, at: clock.now() });
    if (heard.kind === 'silence') this.noteEvent('silence', null);
    if (heard.kind === 'time_warning') this.noteEvent('limit_warning', null);
    if (heard.kind === 'begin') this.noteEvent('disclosed', null);
    if (heard.kind === 'action_result' && this.#open?.action.id === heard.actionId) this.#open = undefined;
    if (this.#interrupted !== undefined) {
      const interruption = { kind: 'interrupted', spoken: this.#interrupted } as const;
      this.#interrupted = undefined;
      this.#state = engine.decideTurn(this.#state, facts, interruption, { vector: null }).state;
    }
    const speech = this.#beginTurn(ASKED.includes(heard.kind) ? this.#nextFiller() : undefined);
    const answering = new AbortController();
    this.#answering = answering;
    const turn = await answer(this.#state, facts, heard, {
      heardAs: (text, isMasked) => this.#noteCaller(text, isMasked, said),
      say: (sentence, by) => speech.say(sentence, by),
      note: (event, detail) => this.noteEvent(event, detail),
      used: (tokens) => void (this.#usage = withTokens(this.#usage, tokens)),
      signal: answering.signal,
    });
    this.#state = turn.state;
    this.#answering = undefined;
    this.#engine = turn.engine;
    if (turn.action) this.#open = { action: turn.action };
    await this.#save();
    if (turn.unanswered !== null) this.#deps.noteUnanswered(turn.unanswered);
    // What was done counts, also for a caller who does not wait to hear it.
    if (heard.kind === 'action_result') this.#report();
    const isHeard = await speech.finish(turn.expects);
    if (heard.kind === 'begin') this.noteEvent('greeting', null);
    if (turn.action && !isHeard) this.#open = undefined;
    if (this.#isEnding) return;
    this.#report();
    const isToDo = turn.action !== null || heard.kind === 'resumed';
    if (isToDo && this.#open && !this.#open.result) await this.#perform(this.#open, loaded);
    else await this.#save();
  }

  /** What was known before is better than nothing. */
  async #load(): Promise<LoadedFacts> {
    try {
      this.#loaded = await this.#deps.loadFacts();
    } catch (error) {
      if (!this.#loaded) throw error;
      this.#warn(error);
    }
    return this.#loaded;
  }

  #noteCaller(text: string, isMasked: boolean, said: Said | undefined): void {
    const { items, clock, audioMs } = this.#deps;
    const at = (ms: number) => new Date(clock.now().getTime() - (audioMs() - ms));
    const now = clock.now();
    this.#usage = { ...this.#usage, turns: this.#usage.turns + 1 };
    items.add(callerTurn(text, said ? at(said.startedAtMs) : now, said ? at(said.endedAtMs) : now));
    if (isMasked) this.noteEvent('masked', null);
  }

  #beginTurn(filler: Filler | undefined): TurnSpeech {
    const on = {
      begun: (playback: TurnPlayback, item: LoggedItem<TurnItem>) => {
        this.#playback = playback;
        this.#playbackItem = item;
        if (this.#over.signal.aborted) playback.drop();
      },
      over: (playback: TurnPlayback) => {
        this.#playback = undefined;
        if (playback.isDropped) this.#interrupted = playback.spoken;
      },
    };
    return speakTurn(this.#deps, on, filler);
  }

  #nextFiller(): Filler {
    const { filler, fillerAfterMs = FILLER_AFTER_MS } = this.#deps;
    const said = () => {
      this.#fillers += 1;
      this.noteEvent('filler', null);
    };
    return { sentence: filler(this.#fillers), afterMs: fillerAfterMs, said };
  }

  /** Does what was decided. A process that continues the session does it again: it has one effect. */
  async #perform({ action, item: before }: OpenAction, loaded: LoadedFacts): Promise<void> {
    const { clock, work } = this.#deps;
    if (action.name === 'hand_over') this.noteEvent('fallback', action.reason);
    const isShown = action.name !== 'hand_over' || action.reason === 'requested';
    const item = before ?? (isShown ? this.#deps.items.add(newActionItem(action, loaded, clock.now())) : undefined);
    const isRinging = action.name === 'transfer_call';
    this.#open = { action, isRinging, ...(item && { item }) };
    const isLast = action.name === 'hand_over' || action.name === 'end_call';
    if (isLast) this.#isEnding = true;
    if (isRinging) this.#prepareRinging(action, loaded.facts);
    await this.#save();
    const performed = await perform(work, action, loaded, this.#over.signal).catch((error: unknown): Performed => {
      this.#warn(error);
      return { result: 'failed' };
    });
    if (performed.message) this.#content = { ...this.#content, message: performed.message };
    // Of a transfer, the session may have been told already.
    if (performed.result === 'pending') return this.isRinging ? this.#waitForResult() : undefined;
    item?.change({ result: performed.result, endedAt: clock.now() });
    this.#open = { action, result: performed.result, ...(item && { item }) };
    await this.#save();
    if (!isLast) this.hear({ kind: 'action_result', actionId: action.id, result: performed.result });
  }

  /** The caller waits: what was said before, and is not answered yet, is forgotten. */
  #waitForResult(): void {
    this.#inputs = this.#inputs.filter(({ heard }) => !SAID.includes(heard.kind));
    this.#deps.stopListening();
  }

  /** Whoever answers, and a caller whom nobody answers, hears the assistant at once. */
  #prepareRinging(action: Action, facts: SessionFacts): void {
    const { engine, audio, prepareAudio } = this.#deps;
    const sentence = { text: engine.whisper(action, facts), key: null, sources: [], interruptible: false };
    this.#whisper = { sentence, audio: madeAhead(audio, sentence, this.#over.signal) };
    prepareAudio(sentencesOfResults(engine, this.#state, facts, action));
  }

  async #speakWhisper(actionId: string, { sentence, audio }: Whisper): Promise<void> {
    const playback = new TurnPlayback(this.#deps.playout, audio);
    this.#playback = playback;
    playback.add(sentence);
    playback.finish();
    // Without a voice they are connected all the same.
    await playback.over.catch((error: unknown) => this.#warn(error));
    await this.#deps.work.finishWhisper(actionId).catch((error: unknown) => this.#warn(error));
  }

  async #save(isFlushed = false): Promise<void> {
    const { items, save } = this.#deps;
    const open = this.#open && storedAction(this.#open);
    const conversation: StoredConversation = {
      state: this.#state,
      usage: this.#usage,
      revision: this.#revision,
      ...(open && { open }),
    };
    this.#content = { ...this.#content, conversation };
    await items.flush();
    await save({
      itemCount: items.count,
      engine: this.#engine,
      state: this.isRinging ? 'transferring' : 'talking',
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
    this.#sendReport(outcome, this.#revision).catch((error: unknown) => this.#warn(error));
  }

  /** Again, until it has arrived or there is a later one: call-control may be restarting. */
  async #sendReport(outcome: string, revision: number): Promise<void> {
    const over = this.#over.signal;
    while (revision === this.#revision && !over.aborted) {
      try {
        return await this.#deps.work.report(this.#engine, outcome, revision);
      } catch (error) {
        this.#warn(error);
        await sleep(REPORT_AGAIN_MS, undefined, { signal: over }).catch(() => undefined);
      }
    }
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error, session: this.#deps.sessionId }, 'a step of a session failed');
  }
}
