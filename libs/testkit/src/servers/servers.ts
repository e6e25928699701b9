/** Servers for one whole test run; addresses carry their credentials. */
export interface Servers {
  readonly mongoUrl: string;
  readonly natsUrl: string;
  stop(): Promise<void>;
}
