/** What a run of the command line has of the machine. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes to standard error. */
  writeError(text: string): void;
  readStandardInput(): Promise<Uint8Array>;
  /** Aborted with an `Interrupted` by Ctrl-C, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  readonly hostname: string;
  readonly platform: NodeJS.Platform;
}

/** The user, or whoever read the output, has ended the run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** As a shell gives it for a signal; 0 when nobody reads the output. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('interrupted');
    this.exitCode = exitCode;
  }
}
