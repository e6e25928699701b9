import type { Channel, Disposition } from './channel.ts';
import { q850Of, sipStatusOf } from './hangup-causes.ts';

export type EndedBy = 'party' | 'switch';

/**
 * Hangs a channel up. CHANNEL_HANGUP comes at once; the channel's activity ends and CHANNEL_HANGUP_COMPLETE comes at the
 * switch's next look, later still while a prompt is being downloaded.
 */
export function hangup(channel: Channel, cause: string, by: EndedBy): void {
  if (!beginHangup(channel, cause, by)) return;
  const { core } = channel;
  core.soon(() => {
    const download = channel.execution?.download;
    if (!download) return completeHangup(channel);
    const complete = () => {
      if (core.alive) completeHangup(channel);
    };
    core.during(() => download).then(complete, complete);
  });
}

/** The same without a moment in between, for the partner of a channel that has just ended. */
export function hangupAtOnce(channel: Channel, cause: string, by: EndedBy): void {
  if (beginHangup(channel, cause, by)) completeHangup(channel);
}

function beginHangup(channel: Channel, cause: string, by: EndedBy): boolean {
  if (channel.hungUp) return false;
  channel.disposition = dispositionOf(channel, by);
  channel.hangupCause = cause;
  channel.hangupMicros = channel.core.nowMicros();
  channel.answerState = 'hangup';
  for (const timer of channel.scheduledHangups) timer.cancel();
  if (by === 'party') channel.setVariable('proto_specific_hangup_cause', `sip:${endStatus(channel, cause)}`);
  channel.publish('CHANNEL_HANGUP');
  channel.leg.ends(cause);
  channel.link?.hungUp(cause);
  channel.onHangup?.();
  return true;
}

function completeHangup(channel: Channel): void {
  const execution = channel.execution;
  execution?.interrupt();
  channel.execution = undefined;
  channel.queue.length = 0;
  const activity = channel.activity;
  channel.activity = undefined;
  activity?.stop('hangup');
  for (const eavesdropper of channel.eavesdroppers) eavesdropper.breakOff();
  for (const recording of channel.recordings.values()) recording.stop();
  channel.state = 'CS_HANGUP';
  channel.setCallState('HANGUP');
  channel.state = 'CS_REPORTING';
  setFinalVariables(channel);
  channel.publish('CHANNEL_HANGUP_COMPLETE');
  channel.onEnd?.();
  channel.publish('CHANNEL_DESTROY');
}

function setFinalVariables(channel: Channel): void {
  const cause = channel.hangupCause ?? 'NORMAL_CLEARING';
  const millisBetween = (from: number, to: number) => Math.max(0, Math.round((to - from) / 1000));
  const billMs = channel.answered ? millisBetween(channel.answeredMicros, channel.hangupMicros) : 0;
  const durationMs = millisBetween(channel.createdMicros, channel.hangupMicros);
  channel.setVariable('sip_hangup_disposition', channel.disposition);
  if (channel.disposition?.startsWith('recv')) {
    channel.setVariable('sip_term_status', String(endStatus(channel, cause)));
    channel.setVariable('sip_term_cause', String(q850Of(cause)));
  }
  channel.setVariable('hangup_cause', cause);
  channel.setVariable('hangup_cause_q850', String(q850Of(cause)));
  channel.setVariable('start_uepoch', String(channel.createdMicros));
  channel.setVariable('answer_uepoch', String(channel.answeredMicros));
  channel.setVariable('end_uepoch', String(channel.hangupMicros));
  channel.setVariable('duration', String(Math.round(durationMs / 1000)));
  channel.setVariable('mduration', String(durationMs));
  channel.setVariable('billsec', String(Math.round(billMs / 1000)));
  channel.setVariable('billmsec', String(billMs));
}

const endStatus = (channel: Channel, cause: string): number => (channel.answered ? 200 : sipStatusOf(cause));

/** Before the answer the caller cancels or the called side rejects; after the answer there is a BYE. */
function dispositionOf(channel: Channel, by: EndedBy): Disposition {
  if (channel.answered) return by === 'party' ? 'recv_bye' : 'send_bye';
  if (channel.direction === 'inbound') return by === 'party' ? 'recv_cancel' : 'send_refuse';
  return by === 'party' ? 'recv_refuse' : 'send_cancel';
}
