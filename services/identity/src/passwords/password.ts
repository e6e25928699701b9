import { hash, verify } from '@node-rs/argon2';
import { invalid, type Refusal } from '@parley/errors';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** NIST SP 800-63B: at least eight characters; the upper bound only keeps a megabyte out of the hash. */
const LENGTH_MIN = 8;
const LENGTH_MAX = 1024;

export function passwordProblem(password: string, field = 'password'): Refusal | undefined {
  if (password === '') return invalid({ [field]: ['is required'] });
  if (characters(password) < LENGTH_MIN)
    return invalid({ [field]: [`is too short (minimum is ${LENGTH_MIN} characters)`] });
  if (password.length > LENGTH_MAX) return invalid({ [field]: [`is too long (maximum is ${LENGTH_MAX} characters)`] });
  return undefined;
}

/** argon2id is the library's default algorithm; the hash contains its name. */
export function hashPassword(password: string): Promise<string> {
  return hash(normal(password), COST);
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return password.length > LENGTH_MAX ? Promise.resolve(false) : verify(passwordHash, normal(password));
}

/** Keyboards write the same character in different ways (NIST SP 800-63B section 5.1.1.2). */
function normal(password: string): string {
  return password.normalize('NFKC');
}

function characters(text: string): number {
  return [...text].length;
}
