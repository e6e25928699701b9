/**
 * What the product says in a language. Of each there are several, because the same sentence is never said three times; `{…}` is filled
 * in.
 */
export type Sentences = Readonly<Record<SentenceKey, readonly [string, ...string[]]>> & {
  readonly parts: SentenceParts;
};

/** Parts of sentences. */
export interface SentenceParts {
  readonly and: string;
  readonly or: string;
  readonly today: string;
  readonly tomorrow: string;
  /** Monday first: as a name, and as an answer to "when". */
  readonly weekdays: readonly string[];
  readonly onWeekdays: readonly string[];
  readonly months: readonly string[];
  /** `{weekday}`, `{day}`, `{month}`. */
  readonly onDate: string;
  /** `{day}`, `{month}`; and days from one date to another: `{from}`, `{to}`. */
  readonly date: string;
  readonly datesFromTo: string;
  /** A time span: `{from}`, `{to}`. */
  readonly fromTo: string;
  /** Days in a row: `{from}`, `{to}`. */
  readonly daysFromTo: string;
  readonly offers: Readonly<Record<'message' | 'callback' | 'person', string>>;
  /** What the product knows itself, as one would ask for it. */
  readonly topics: Readonly<Record<'hours' | 'address', string>>;
  /** For the employee who rings: a caller whose name is not known. */
  readonly aCaller: string;
}

export type SentenceKey =
  | 'hello_name'
  | 'how_can_i_help'
  | 'anything_else'
  | 'not_understood'
  | 'unknown_answer'
  | 'already_said'
  | 'do_you_mean'
  | 'do_you_mean_or'
  | 'i_can'
  | 'what_would_you_like'
  | 'offer_message'
  | 'offer_message_for'
  | 'offer_callback'
  | 'offer_person'
  | 'whom'
  | 'people'
  | 'unknown_person'
  | 'ringing'
  | 'tried_twice'
  | 'no_transfers'
  | 'no_answer'
  | 'declined'
  | 'unavailable'
  | 'transfer_failed'
  | 'transfer_not_allowed'
  | 'hand_over'
  | 'ask_message'
  | 'ask_message_again'
  | 'ask_name'
  | 'ask_number'
  | 'number_goes_on'
  | 'number_incomplete'
  | 'number_not_allowed'
  | 'repeat_message'
  | 'repeat_name'
  | 'repeat_for'
  | 'repeat_number'
  | 'repeat_own_number'
  | 'repeat_when'
  | 'is_that_right'
  | 'ask_correction'
  | 'message_taken'
  | 'message_failed'
  | 'no_messages'
  | 'dropped'
  | 'ask_callback_own_number'
  | 'ask_callback_number'
  | 'heard_number'
  | 'callback_queued'
  | 'callback_taken'
  | 'callback_failed'
  | 'no_callbacks'
  | 'offer_text'
  | 'ask_text'
  | 'which_text'
  | 'text_sent'
  | 'text_not_possible'
  | 'text_failed'
  | 'no_texts'
  | 'secrets'
  | 'emergency'
  | 'still_there'
  | 'silence_goodbye'
  | 'goodbye'
  | 'wait'
  | 'thanks'
  | 'hello'
  | 'my_name'
  | 'company'
  | 'address'
  | 'abilities'
  | 'time_warning'
  | 'time_over'
  | 'resumed'
  | 'hours_week'
  | 'hours_always'
  | 'hours_never'
  | 'hours_break'
  | 'hours_no_break'
  | 'open_now'
  | 'open_now_always'
  | 'open_now_with_break'
  | 'closed_now'
  | 'break_now'
  | 'opens_again'
  | 'open_on'
  | 'closed_on'
  | 'closed_on_for'
  | 'closed_from_to'
  | 'open_then'
  | 'closed_then'
  | 'closes_at'
  | 'opens_at'
  | 'closed_already'
  | 'open_whole_day'
  | 'whisper'
  | 'whisper_matter';
