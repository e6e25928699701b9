/** A business number whose routing names what should be removed. */
export interface HoldingNumber {
  readonly id: string;
  readonly name: string;
}

/** The business numbers in the API's refusal to remove what they name. */
export function holdingNumbers(body: Readonly<Record<string, unknown>>): readonly HoldingNumber[] {
  const numbers: unknown = body['main_numbers'];
  return Array.isArray(numbers) ? numbers.filter(isHoldingNumber) : [];
}

function isHoldingNumber(value: unknown): value is HoldingNumber {
  const { id, name } = Object(value) as Partial<HoldingNumber>;
  return typeof id === 'string' && typeof name === 'string';
}
