import { playPrompt, play } from './play-audio.ts';
import type { Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import type { CallFlow, ForwardFlow, NoAnswerPlan, Prompt, StepFlow } from '../model/call-flow.ts';
import { hangUpCall } from './end-call.ts';
import { awaitRemainingOutsideLegs, ringOutside } from './outside-leg.ts';
import { leaveVoicemail } from './record-voicemail.ts';
import { stopRinging, waitForEmployees } from './queue.ts';
import { answerWithAssistant } from './assisted-call.ts';
import { connectOutside, connectOutsideWhenParked } from './outside-party.ts';

const MENU_KEY_MS = 10_000;
const MENU_PLAYS_MAX = 4;

/** Starts the flow of the route; also the no-answer flow and the branches of a menu. */
export function runFlow(draft: CallDraft, flow: CallFlow): void {
  switch (flow.type) {
    case 'menu':
      return playMenu(draft, flow, 1);
    case 'transfer':
      return runTransfer(draft, flow);
    case 'voicemail':
      return leaveVoicemail(draft, flow.prompt);
    case 'message':
      return playMessage(draft, flow.prompt);
    case 'forward':
      return forwardCall(draft, flow);
    case 'assistant':
      // A call has one session at most.
      return draft.call.assistant ? runFlow(draft, flow.fallback) : answerWithAssistant(draft, flow);
  }
}

/** The assistant has left: the caller waits for the fallback. */
export function runFallbackWhenParked(draft: CallDraft): void {
  const { phase, customerLegId } = draft.call;
  if (phase.kind !== 'assisted' || phase.stage.kind !== 'leaving' || !draft.leg(customerLegId)?.parked) return;
  draft.cancel('assistant_connect');
  runFlow(draft, phase.flow.fallback);
}

function runTransfer(draft: CallDraft, { prompt, employeeIds }: Extract<StepFlow, { type: 'transfer' }>): void {
  if (!prompt) return waitForEmployees(draft, employeeIds);
  draft.enter({ kind: 'prompt', playId: playPrompt(draft, prompt), employeeIds });
}

function playMenu(draft: CallDraft, menu: Extract<CallFlow, { type: 'menu' }>, plays: number): void {
  draft.cancel('menu_key');
  draft.enter({ kind: 'menu', menu, plays, playId: playPrompt(draft, menu.prompt) });
}

function playMessage(draft: CallDraft, prompt: Prompt | null): void {
  draft.move('playing_audio');
  if (!prompt) return hangUpCall(draft);
  draft.enter({ kind: 'message', playId: playPrompt(draft, prompt) });
}

type MenuPhase = Extract<Call['phase'], { kind: 'menu' }>;

export function promptFinished(draft: CallDraft, employeeIds: readonly string[]): void {
  draft.cancel('prompt_overdue');
  waitForEmployees(draft, employeeIds);
}

export function menuFinished(draft: CallDraft): void {
  draft.cancel('prompt_overdue');
  draft.due('menu_key', MENU_KEY_MS);
}

/** A key that leads nowhere, and no key at all, play the menu again. */
export function menuKey(draft: CallDraft, { menu, plays }: MenuPhase, digit: string | null): void {
  draft.cancel('menu_key', 'prompt_overdue');
  draft.note({ type: 'input', what: digit === null ? 'no_key' : 'key', ...(digit !== null && { detail: digit }) });
  const option = menu.options.find((candidate) => candidate.digit === digit);
  if (option) return runFlow(draft, option.flow);
  if (plays < MENU_PLAYS_MAX) return playMenu(draft, menu, plays + 1);
  hangUpCall(draft);
}

/** No employee answered in time: the no-answer flow runs, and its own transfers ring without a timer. */
export function noAnswer(draft: CallDraft, phase: Extract<Call['phase'], { kind: 'waiting' }>): void {
  const plan = draft.call.noAnswer;
  if (!plan) return;
  stopRinging(draft, phase);
  runNoAnswerFlow(draft, plan);
}

const RINGS_LATER: ReadonlySet<CallFlow['type']> = new Set(['menu', 'transfer', 'assistant']);

function runNoAnswerFlow(draft: CallDraft, { flow }: NoAnswerPlan): void {
  // Nobody rings while the prompt of the no-answer flow plays, or an assistant talks.
  if (draft.call.state === 'transferring' && RINGS_LATER.has(flow.type)) draft.move('queued');
  draft.set({ noAnswer: null });
  runFlow(draft, flow);
}

/** Rings a phone outside the company; the caller hears the wait audio meanwhile. */
function forwardCall(draft: CallDraft, { phoneNumber, timeoutSecs: ringSecs, confirm: needsKey }: ForwardFlow): void {
  // The phone that would be called is the caller: two numbers that forward to each other would go on for ever.
  if (phoneNumber === draft.call.from) return forwardFailed(draft, 'LOOP');
  draft.move('transferring');
  play(draft, { kind: draft.call.number.waitAudio });
  const legId = ringOutside(draft, { to: phoneNumber, employeeId: null, ringSecs, needsKey });
  draft.note({ type: 'leg', what: 'forwarded', legId });
  draft.enter({ kind: 'forwarding', phoneNumber, legId });
}

/** The phone outside the company did not answer, or not take the call: the no-answer flow runs, if there is one. */
export function forwardFailed(draft: CallDraft, cause: string): void {
  const { phase, noAnswer: plan } = draft.call;
  if (phase.kind === 'forwarding') draft.hangUp(phase.legId, 'NO_ANSWER');
  draft.note({ type: 'leg', what: 'forward_failed', detail: cause });
  awaitRemainingOutsideLegs(draft);
  if (plan) runNoAnswerFlow(draft, plan);
  else hangUpCall(draft);
}

/** The phone outside the company takes the call: answered, by none of the employees. */
export function forwardAccepted(
  draft: CallDraft,
  { phoneNumber, legId }: Extract<Call['phase'], { kind: 'forwarding' }>,
): void {
  draft.move('answered');
  if (!draft.call.answeredAt) {
    draft.set({ answeredAt: draft.now });
    draft.emit('call-control.call.answered');
  }
  connectOutside(draft, phoneNumber, legId);
  connectOutsideWhenParked(draft);
}
