/** The id of data about a business number and an external phone number. */
export function pairId(businessNumberId: string, externalNumber: string): string {
  return `${businessNumberId}:${externalNumber}`;
}
