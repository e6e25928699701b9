import { main } from '@parley/conformance';
import type { LocalJson } from '../support/local-stack.ts';

/** Runs the conformance kit with a stack; its exit status and what it wrote. */
export async function runKit(stack: LocalJson, ...args: string[]): Promise<{ status: number; out: string }> {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const target = [
    ['--base-url', stack.base_url],
    ['--operator-url', stack.operator_url],
    ['--operator-token', stack.operator_token],
    ['--sandbox-url', stack.sandbox_url],
  ].flat();
  const status = await main([...target, ...args], { out: write, error: write });
  return { status, out };
}
