import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unauthorized } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';

const operator: OperatorPrincipal = { kind: 'operator' };

/** Accepts the operator's token; compared by digest, so that timing reveals nothing about it. */
export function authenticateOperator(token: string) {
  const expected = digest(token);
  return (request: IncomingMessage): OperatorPrincipal => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (given === undefined || !timingSafeEqual(digest(given), expected)) throw unauthorized('Invalid operator token');
    return operator;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
