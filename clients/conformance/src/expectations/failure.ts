/** What a check expected did not come. Its message says both. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** What a check needs could not be prepared, so nothing is known about the rule. */
export class SetUpFailure extends Error {
  override readonly name = 'SetUpFailure';
}

/** The check does not apply to this server. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}
