/** Every service. This file has no imports, so that scripts can use it without installed dependencies. */
export const serviceNames: readonly string[] = [
  'gateway',
  'identity',
  'directory',
  'numbers-routing',
  'call-control',
  'messaging-inbox',
  'webhooks',
  'reports',
  'assistant',
  'speech',
  'sandbox',
];

/** The setting with the gRPC address of a service: `NUMBERS_ROUTING_ADDRESS`. */
export function addressSetting(service: string): string {
  return `${service.replaceAll('-', '_').toUpperCase()}_ADDRESS`;
}
