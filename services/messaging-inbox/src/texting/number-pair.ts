/** The id of what is kept about a business number and somebody who texts with it. */
export function pairId(businessNumberId: string, externalNumber: string): string {
  return `${businessNumberId}:${externalNumber}`;
}
