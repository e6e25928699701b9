import { Output } from './output/output.ts';
import { DEFAULT_PROFILE, openProfile, type ProfileStore } from './profiles/profiles.ts';
import type { System } from './system.ts';

/** What every command takes. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** A run of a command. */
export interface Context {
  readonly system: System;
  readonly output: Output;
  readonly profile: ProfileStore;
}

export function contextOf(system: System, { profile = DEFAULT_PROFILE, json = false }: GlobalOptions): Context {
  return { system, output: new Output(system, json), profile: openProfile(profile, system.env) };
}
