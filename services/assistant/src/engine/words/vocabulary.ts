/** What is understood in a language. All patterns match plain words: lower case, without accents and apostrophes, one space between. */
export interface Vocabulary {
  /** Yes and no at the beginning of what is said, whatever follows. */
  readonly yes: RegExp;
  readonly no: RegExp;
  /** Yes if hardly anything follows. */
  readonly weakYes: RegExp;
  /** Begin like a yes or no, and are none. */
  readonly neitherYesNorNo: RegExp;
  /** Words that say nothing, anywhere. */
  readonly fillers: RegExp;
  /** Words of somebody who listens; they take no turn. */
  readonly backchannel: RegExp;
  /** What is said as a whole. */
  readonly small: Readonly<Record<SmallTalk, RegExp>>;
  /** "And tomorrow?": begins a question that goes on about the last answer. */
  readonly followUp: RegExp;
  /** "Never mind": ends what was begun. */
  readonly cancel: RegExp;
  /** Which of two. */
  readonly first: RegExp;
  readonly second: RegExp;
  readonly both: RegExp;
  readonly neither: RegExp;
  /** A person, whoever it is, instead of a machine. */
  readonly human: RegExp;
  /** Words for anybody, without a name. */
  readonly anybody: RegExp;
  /** The first group is whom the caller wants to speak to. */
  readonly person: readonly RegExp[];
  /** The same if it is a name that is known; otherwise the sentence is about something else. */
  readonly perhapsPerson: readonly RegExp[];
  /** Not somebody to speak to. */
  readonly pronoun: RegExp;
  /** Before and after a name. */
  readonly besideName: RegExp;
  /** A group `who` is whom the message is for, a group `what` the message itself, as far as they are said. */
  readonly message: readonly RegExp[];
  /** A group `who`: who is to call back. */
  readonly callback: readonly RegExp[];
  readonly sendText: RegExp;
  /** The first group is the caller's name. */
  readonly ownName: readonly RegExp[];
  /** Words that end a name. */
  readonly afterName: RegExp;
  /** The first group is what a call is about. */
  readonly matter: RegExp;
  /** No number, no name: none is given. */
  readonly none: RegExp;
  readonly emergency: readonly RegExp[];
  /** An emergency if hardly anything else is said. */
  readonly emergencyWord: RegExp;
  /** Not an emergency, whatever words are in it. */
  readonly noEmergency: RegExp;
  /** Words after which digits are secret. */
  readonly secrets: RegExp;
  /** Words after which digits are a phone number. */
  readonly phoneNumber: RegExp;
  readonly hours: HoursWords;
  readonly times: TimeWords;
  readonly numbers: NumberWords;
  /** Questions that need no question mark. */
  readonly question: RegExp;
  /** A sentence that goes on. */
  readonly unfinished: RegExp;
}

export type SmallTalk =
  | 'goodbye'
  | 'thanks'
  | 'hello'
  | 'wait'
  | 'repeat'
  | 'robot'
  | 'name'
  | 'company'
  | 'address'
  | 'abilities'
  | 'people'
  | 'done';

export interface HoursWords {
  /** Questions about opening hours. */
  readonly question: readonly RegExp[];
  readonly opening: RegExp;
  readonly closing: RegExp;
  readonly lunch: RegExp;
  /** A question that yes or no answers. */
  readonly yesNo: RegExp;
  readonly holiday: RegExp;
}

export interface TimeWords {
  readonly now: RegExp;
  readonly today: RegExp;
  readonly tomorrow: RegExp;
  readonly dayAfterTomorrow: RegExp;
  readonly weekend: RegExp;
  readonly next: RegExp;
  /** Monday first. */
  readonly weekdays: readonly RegExp[];
  readonly months: readonly RegExp[];
  /** A day of the month as a word; the digits are read anyway. */
  readonly ordinals: Readonly<Record<string, number>>;
  /** Groups: `hour`, `minute`, and `half` for am or pm. */
  readonly clock: readonly ClockPattern[];
  readonly noon: RegExp;
  readonly midnight: RegExp;
  readonly pm: RegExp;
  readonly am: RegExp;
  /** A time as callers say it, for what is noted in their own words. */
  readonly when: RegExp;
  /** Another time is wanted than the one that was agreed on. */
  readonly change: RegExp;
}

export interface ClockPattern {
  readonly pattern: RegExp;
  /** Added to the hour of the first group, in minutes, beside the minutes of the second. */
  readonly add: number;
  /** Minutes are before the hour. */
  readonly before?: true;
}

export interface NumberWords {
  /** Words for digits, as digits. */
  readonly digits: Readonly<Record<string, string>>;
  /** Twenty, thirty: a digit may follow. */
  readonly tens: Readonly<Record<string, number>>;
  /** One word for tens and ones, in German and Danish order; groups: ones, tens. */
  readonly onesAndTens: RegExp | null;
  readonly hundred: RegExp;
  readonly thousand: RegExp;
  readonly plus: RegExp;
  readonly double: RegExp;
  readonly triple: RegExp;
}
