import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, ExitCode, wrongUsage } from '../errors.ts';
import type { System } from '../system.ts';

/** Where a stack with a sandbox is, as `npm start` writes it. */
export interface LocalStack {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly operatorUrl: string | undefined;
  readonly operatorToken: string | undefined;
  /** Of the demo company, if there is one. */
  readonly demoKey: string | undefined;
}

/** The file that was named, or else that of the stack in this folder. */
export async function readLocalStack(named: string | undefined, env: System['env']): Promise<LocalStack> {
  const file = named ?? path.join(env['PARLEY_DATA_DIR'] || '.parley', 'local.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named !== undefined) throw wrongUsage(`cannot read ${named}: ${error.code}`);
    throw noSandbox(`there is no ${file}`);
  });
  const stack = parsed(text);
  if (!stack) throw wrongUsage(`${file} is not the local.json of a stack`);
  const {
    base_url: baseUrl,
    sandbox_url: sandboxUrl,
    operator_url: operatorUrl,
    operator_token: operatorToken,
  } = stack;
  if (typeof baseUrl !== 'string') throw wrongUsage(`${file} has no base_url`);
  if (typeof sandboxUrl !== 'string') throw noSandbox(`${file} has no sandbox_url`);
  const demo = stack['demo'] as { api_key?: unknown } | undefined;
  return {
    baseUrl,
    sandboxUrl,
    operatorUrl: textOf(operatorUrl),
    operatorToken: textOf(operatorToken),
    demoKey: textOf(demo?.api_key),
  };
}

/** Events are made to happen from outside, by calls and texts of customers who do not exist. */
export function noSandbox(reason: string): CommandError {
  return new CommandError(
    ExitCode.refused,
    `nothing can be triggered without a sandbox: ${reason}`,
    'Start a local stack with "npm start" in the repository, and name its file: --local <folder>/.parley/local.json.',
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
