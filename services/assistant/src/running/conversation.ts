import type { Clip, PlayoutQueue } from '@parley/sip';
import type { Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Answer, Answered, EngineInUse } from '../engine/answer.ts';
import type { ActionResult, EmbeddedEngine, Heard, Sentence } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import { isOutdated, type Usage, withTokens } from '../sessions/session.ts';
import type { SessionContent } from '../sessions/session-content.ts';
import { callerTurn, type SessionEventName } from '../sessions/session-item.ts';
import type { AudioEvent } from '../turn-taking/turn-taking.ts';
import { type ActionEvents, Actions } from './actions.ts';
import type { ItemLog } from './item-log.ts';
import { isLast, isToDo, type StoredAction } from './open-action.ts';
import { OutcomeReports } from './outcome-reports.ts';
import type { SessionWork } from './session-work.ts';
import { Speaking } from './speaking.ts';
import { type Filler, type SentenceAudio, SpeechUnavailable } from './turn-playback.ts';
import type { TurnSpeech } from './turn-speech.ts';

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

interface Input {
  readonly heard: Heard;
  readonly said?: Said;
}

/** On a machine that is busy; the caller hears something within four seconds. */
const FILLER_AFTER_MS = 2000;
/** What a caller waits to have answered. */
const ASKED: readonly Heard['kind'][] = ['words', 'keys', 'unrecognised'];
/** What is of no interest any more to a caller for whom somebody rings. */
const SAID: readonly Heard['kind'][] = ['words', 'unrecognised', 'interrupted', 'silence'];
/** Events of a session that are inputs of its conversation. */
const EVENTS: Readonly<Partial<Record<Heard['kind'], SessionEventName>>> = {
  begin: 'disclosed',
  silence: 'silence',
  time_warning: 'limit_warning',
};

/** A conversation with a caller: one input after the other is answered, spoken and done. */
export class Conversation {
  readonly #deps: ConversationDeps;
  #state: unknown;
  #content: SessionContent;
  #engine: EngineInUse;
  #usage: Usage;
  #inputs: Input[] = [];
  #working: Promise<void> | undefined;
  /** As it was read last. */
  #loaded: LoadedFacts | undefined;
  #fillers = 0;
  #isEnding = false;
  readonly #over = new AbortController();
  /** The answer that is being decided. */
  #answering: AbortController | undefined;
  readonly #speaking: Speaking;
  readonly #actions: Actions;
  readonly #reports: OutcomeReports;
  readonly #warn: (error: unknown) => void;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    this.#content = deps.content;
    this.#engine = deps.engineInUse;
    const before = deps.content.conversation as StoredConversation | null;
    this.#state = before ? before.state : deps.engine.createState(deps.sessionId);
    this.#usage = before?.usage ?? { turns: 0, inputTokens: 0, outputTokens: 0, costMicros: null };
    const over = this.#over.signal;
    const { log, work, clock } = deps;
    const warn = (error: unknown) => log.warn({ err: error, session: deps.sessionId }, 'a step of a session failed');
    this.#warn = warn;
    this.#speaking = new Speaking(deps, over);
    this.#actions = new Actions({ ...deps, now: () => clock.now(), over, warn }, this.#actionEvents(), before?.open);
    this.#reports = new OutcomeReports((...report) => work.report(...report), before?.revision ?? 0, over, warn);
  }

  /** Somebody rings, or hears who calls. */
  get isRinging(): boolean {
    return this.#actions.isRinging;
  }

  /** Caller and assistant are connected: for the first time, or again. */
  begin(): void {
    if (this.#content.conversation === null) return this.hear({ kind: 'begin' });
    this.noteEvent('resumed', null);
    this.hear({ kind: 'resumed' });
    const { action, result } = this.#actions.open ?? {};
    if (action && result) this.hear({ kind: 'action_result', actionId: action.id, result });
  }

  hear(heard: Heard, said?: Said): void {
    if (this.#isEnding) return;
    if (said) this.#speaking.asked(said.endedAtMs);
    // The caller goes on before anything was answered: all of it is answered together.
    if (heard.kind === 'words' && !this.#speaking.isSpeaking) this.#answering?.abort();
    const input = { heard, ...(said && { said }) };
    // What became of an action is told before anything else is answered.
    if (heard.kind === 'action_result') this.#inputs.unshift(input);
    else this.#inputs.push(input);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  noteEvent(event: SessionEventName, detail: string | null): void {
    this.#deps.items.add({ type: 'event', event, detail, at: this.#deps.clock.now() });
  }

  onFrame(): void {
    this.#speaking.onFrame();
  }

  onPlayed(clip: Clip): void {
    this.#speaking.onPlayed(clip);
  }

  stopPlayback(): void {
    this.#speaking.stop();
  }

  resumePlayback(): void {
    this.#speaking.resume();
  }

  dropPlayback(): void {
    this.#speaking.drop();
    this.#answering?.abort();
  }

  /** An employee has answered: they hear who calls, and are connected then. */
  whisper(actionId: string): void {
    this.#actions.whisper(actionId);
  }

  transferEnded(actionId: string, result: ActionResult): void {
    const { isRinging } = this;
    if (!this.#actions.endTransfer(actionId, result)) return;
    if (isRinging) this.#speaking.drop();
    if (result === 'connected') return void this.#save().catch(this.#warn);
    this.hear({ kind: 'action_result', actionId, result });
  }

  /** The caller goes on without the assistant. */
  handOver(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.dropPlayback();
    this.noteEvent('fallback', reason);
    this.#deps.work.runFallback(reason, this.#over.signal).catch(this.#warn);
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
    const loaded = await this.#load();
    if (this.#over.signal.aborted) return;
    this.#noteHeard(heard, loaded);
    const speech = this.#speaking.begin(ASKED.includes(heard.kind) ? this.#nextFiller() : undefined);
    const turn = await this.#answer(heard, said, loaded, speech);
    await this.#save();
    if (turn.unanswered !== null) this.#deps.noteUnanswered(turn.unanswered);
    // What was done counts, also for a caller who does not wait to hear it.
    if (heard.kind === 'action_result') this.#report();
    const isHeard = await speech.finish(turn.expects);
    if (heard.kind === 'begin') this.noteEvent('greeting', null);
    if (turn.action && !isHeard) this.#actions.withdraw();
    if (this.#isEnding) return;
    this.#report();
    const { open } = this.#actions;
    const isDecided = turn.action !== null || heard.kind === 'resumed';
    if (isDecided && isToDo(open)) await this.#actions.perform(open, loaded, this.#state);
    else await this.#save();
  }

  /** Before it is answered. */
  #noteHeard(heard: Heard, { facts, contactId }: LoadedFacts): void {
    const { items, clock, engine } = this.#deps;
    this.#content = { ...this.#content, callerName: facts.caller.name, contactId };
    if (heard.kind === 'keys') items.add({ type: 'key', key: heard.digits, at: clock.now() });
    const event = EVENTS[heard.kind];
    if (event) this.noteEvent(event, null);
    if (heard.kind === 'action_result') this.#actions.close(heard.actionId);
    const spoken = this.#speaking.takeInterrupted();
    if (spoken === undefined) return;
    this.#state = engine.decideTurn(this.#state, facts, { kind: 'interrupted', spoken }, { vector: null }).state;
  }

  async #answer(
    heard: Heard,
    said: Said | undefined,
    { facts }: LoadedFacts,
    speech: TurnSpeech,
  ): Promise<Answered<unknown>> {
    const answering = new AbortController();
    this.#answering = answering;
    const turn = await this.#deps.answer(this.#state, facts, heard, {
      heardAs: (text, isMasked) => this.#noteCaller(text, isMasked, said),
      say: (sentence, by) => speech.say(sentence, by),
      note: (event, detail) => this.noteEvent(event, detail),
      used: (tokens) => void (this.#usage = withTokens(this.#usage, tokens)),
      signal: answering.signal,
    });
    this.#state = turn.state;
    this.#answering = undefined;
    this.#engine = turn.engine;
    if (turn.action) this.#actions.decide(turn.action);
    return turn;
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

  #nextFiller(): Filler {
    const { filler, fillerAfterMs = FILLER_AFTER_MS } = this.#deps;
    const said = () => {
      this.#fillers += 1;
      this.noteEvent('filler', null);
    };
    return { sentence: filler(this.#fillers), afterMs: fillerAfterMs, said };
  }

  #actionEvents(): ActionEvents {
    return {
      begins: (action) => {
        if (action.name === 'hand_over') this.noteEvent('fallback', action.reason);
        if (isLast(action)) this.#isEnding = true;
      },
      // What was said before, and is not answered yet, is forgotten.
      rings: () => {
        this.#inputs = this.#inputs.filter(({ heard }) => !SAID.includes(heard.kind));
        this.#deps.stopListening();
      },
      ended: (actionId, result) => this.hear({ kind: 'action_result', actionId, result }),
      save: (message) => {
        if (message) this.#content = { ...this.#content, message };
        return this.#save();
      },
      speak: (sentence, audio) => this.#speaking.speakAside(sentence, audio),
    };
  }

  async #save(isFlushed = false): Promise<void> {
    const { items, save } = this.#deps;
    const open = this.#actions.stored;
    const conversation: StoredConversation = {
      state: this.#state,
      usage: this.#usage,
      revision: this.#reports.revision,
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

  #report(): void {
    this.#reports.report(this.#engine, this.#deps.engine.outcomeIfLeft(this.#state));
  }
}
