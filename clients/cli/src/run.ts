import { CommanderError } from 'commander';
import { conformance } from './conformance.ts';
import { ExitCode, failureJson, failureOf, linesOf } from './errors.ts';
import { Output } from './output/output.ts';
import { buildProgram } from './program.ts';
import { Interrupted, type System } from './system.ts';

/** Runs the command line; resolves to its exit code. */
export async function run(args: readonly string[], system: System): Promise<number> {
  try {
    // All of its arguments are the kit's own, also those that look like ours.
    if (isConformance(args)) return await conformance(args.slice(1), system);
    await buildProgram(system).parseAsync(args, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (system.signal.aborted) return interruptedWith(system.signal);
    // It has written what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const failure = failureOf(error);
    const output = new Output(system, args.includes('--json'));
    if (output.isJson) output.errorJson(failureJson(failure));
    else for (const line of linesOf(failure)) output.note(line);
    return failure.exitCode;
  }
}

/** The kit ends by itself when it is interrupted, once it has deleted its companies. */
export function isConformance(args: readonly string[]): boolean {
  return args[0] === 'conformance';
}

function interruptedWith({ reason }: AbortSignal): number {
  return reason instanceof Interrupted ? reason.exitCode : ExitCode.refused;
}
