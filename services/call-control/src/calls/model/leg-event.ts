/**
 * The reports of a switch about the legs of calls. The adapter creates them from the protocol's events; nothing else reads those.
 */
export type LegEvent =
  /** `isOurs`: the leg was created or taken for a call. */
  | { readonly type: 'leg_answered'; readonly legId: string; readonly isOurs?: boolean; readonly replaces?: true }
  /** The leg waits for our commands. `replaces`: it wants to take the place of another leg. */
  | { readonly type: 'leg_parked'; readonly legId: string; readonly arrival: Arrival | null; readonly replaces?: true }
  | {
      readonly type: 'leg_bridged';
      readonly legId: string;
      readonly peerId: string;
      /** The recorded length of the leg, where it cannot be computed from the time. */
      readonly recordedMs?: number;
    }
  /** The last event of a leg. */
  | { readonly type: 'leg_ended'; readonly legId: string; readonly cause: string }
  | { readonly type: 'digit'; readonly legId: string; readonly digit: string }
  /** `played` is false when the audio could not be found. */
  | { readonly type: 'playback_finished'; readonly legId: string; readonly playId: string; readonly played: boolean }
  | {
      readonly type: 'recording_stopped';
      readonly legId: string;
      readonly recording: string;
      readonly durationMs: number | null;
    }
  | { readonly type: 'conference_joined'; readonly legId: string; readonly room: string; readonly memberId: string }
  /** The switch could not create a leg. No proof that the leg does not exist: only for legs without any other event. */
  | { readonly type: 'originate_failed'; readonly legId: string; readonly cause: string };

/** A leg that call-control did not create. */
export type Arrival =
  /** From another switch, with what is to be done with it. */
  | { readonly kind: 'switch'; readonly ticket: string }
  /** From a carrier. `from` is null when the caller withholds the number. */
  | { readonly kind: 'carrier'; readonly from: string | null; readonly dialled: string }
  /** From a phone that the switch has authenticated as an employee's. */
  | {
      readonly kind: 'phone';
      readonly employeeId: string;
      readonly companyId: string;
      readonly dialled: string;
      /** The requested business number: E.164 or its id. */
      readonly businessNumber: string | null;
    };

/** The state of a leg on the switch. */
export interface LegSnapshot {
  readonly legId: string;
  readonly isAnswered: boolean;
  /** The executed application: `park`, `playback`, `record`, `uuid_bridge`, `conference`; null when it is unknown. */
  readonly application: string | null;
  readonly applicationData: string;
  readonly memberId: string | null;
}
