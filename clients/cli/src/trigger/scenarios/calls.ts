import { isAbout, type Scenario } from '../scenario.ts';
import type { DialledCall, Line, Phone, Stage } from '../stage.ts';

const GOODBYE = { type: 'RejectConfig', message: 'Goodbye.' };
const VOICEMAIL = { type: 'VoicemailConfig', greeting: 'We are closed. Please leave a message.' };

async function lineTo(stage: Stage, employee: Phone): Promise<Line> {
  return stage.line({ type: 'TransferConfig', employee_ids: [employee.id] });
}

/** A customer calls somebody, whose phone rings. */
async function ring(stage: Stage): Promise<DialledCall & { readonly employee: Phone }> {
  const employee = await stage.employee();
  const call = await stage.dial(await lineTo(stage, employee));
  return { ...call, employee };
}

/** A customer and an employee talk. */
async function talk(stage: Stage): Promise<DialledCall & { readonly employee: Phone }> {
  const call = await ring(stage);
  await stage.answer(call.employee);
  await stage.state(call, 'bridged');
  return call;
}

async function leaveVoicemail(stage: Stage): Promise<DialledCall> {
  const call = await stage.dial(await stage.line(GOODBYE, { closed: VOICEMAIL }));
  await stage.state(call, 'recording');
  await stage.say(call, 'Please call me back about the order.');
  await stage.hangUp(call);
  return call;
}

async function hold(
  stage: Stage,
  { callId, employee }: { callId: string; employee: Phone },
  steps: readonly boolean[],
) {
  const asEmployee = await stage.asEmployee(employee);
  for (const on of steps) await asEmployee.calls.setHold(callId, { on }, { signal: stage.signal });
}

export const callScenarios = {
  'call.initiated': {
    description: 'A customer calls.',
    run: async (stage) => isAbout((await ring(stage)).callId),
  },
  'call.outside_business_hours': {
    description: 'A customer calls a number that is closed.',
    run: async (stage) => isAbout((await stage.dial(await stage.line(GOODBYE, { closed: VOICEMAIL }))).callId),
  },
  'call.queued': {
    description: 'A customer calls and waits for an employee.',
    run: async (stage) => isAbout((await ring(stage)).callId),
  },
  'call.answered': {
    description: 'A customer calls, and an employee answers.',
    run: async (stage) => isAbout((await talk(stage)).callId),
  },
  'call.ended': {
    description: 'A customer calls, an employee answers, and the customer hangs up.',
    async run(stage) {
      const call = await talk(stage);
      await stage.hangUp(call);
      return isAbout(call.callId);
    },
  },
  'call.lost': {
    description: 'A customer calls, nobody answers, and the customer hangs up.',
    async run(stage) {
      const call = await ring(stage);
      await stage.hangUp(call);
      return isAbout(call.callId);
    },
  },
  'call.transcription_done': {
    description: 'A customer tells an employee something and hangs up; the call is transcribed.',
    async run(stage) {
      const call = await talk(stage);
      await stage.say(call, 'I would like a refund for my damaged shoes.');
      await stage.hangUp(call);
      return isAbout(call.callId);
    },
  },
  'call.held': {
    description: 'An employee puts a call on hold.',
    async run(stage) {
      const call = await talk(stage);
      await hold(stage, call, [true]);
      return isAbout(call.callId);
    },
  },
  'call.resumed': {
    description: 'An employee puts a call on hold and takes it back.',
    async run(stage) {
      const call = await talk(stage);
      await hold(stage, call, [true, false]);
      return isAbout(call.callId);
    },
  },
  'call.note_changed': {
    description: 'A customer calls, and the call gets a note.',
    async run(stage) {
      const call = await ring(stage);
      await stage.hangUp(call);
      await stage.state(call, 'ended');
      await stage.parley.calls.update(
        call.callId,
        { note: 'Refund by Monday.', tags: ['Refund'] },
        { signal: stage.signal },
      );
      return isAbout(call.callId);
    },
  },
  'voicemail.new': {
    description: 'A customer calls outside business hours and leaves a voicemail.',
    run: async (stage) => isAbout((await leaveVoicemail(stage)).callId),
  },
  'voicemail.transcription_done': {
    description: 'A customer leaves a voicemail, which is transcribed.',
    run: async (stage) => isAbout((await leaveVoicemail(stage)).callId),
  },
} satisfies Record<string, Scenario>;
