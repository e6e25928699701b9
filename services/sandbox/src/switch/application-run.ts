import type { Channel } from './channel.ts';

/** An application with its argument, as a channel runs it. */
export interface ApplicationRun {
  readonly name: string;
  readonly argument: string;
  /** Returned as Application-UUID. */
  readonly uuid: string;
}

/** Publishes its start. */
export function announce(channel: Channel, call: ApplicationRun): void {
  channel.setVariable('current_application', call.name);
  channel.setVariable('current_application_data', call.argument);
  channel.publish('CHANNEL_EXECUTE', applicationHeaders(call));
}

/** Publishes its end and its result. */
export function completeApplication(channel: Channel, call: ApplicationRun, response: string): void {
  if (response !== '_none_') channel.setVariable('current_application_response', response);
  channel.publish('CHANNEL_EXECUTE_COMPLETE', { ...applicationHeaders(call), 'Application-Response': response });
}

const applicationHeaders = ({ name, argument, uuid }: ApplicationRun): Record<string, string> => ({
  Application: name,
  ...(argument !== '' && { 'Application-Data': argument }),
  'Application-UUID': uuid,
});
