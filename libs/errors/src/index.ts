export {
  type Decision,
  type DecisionWith,
  decided,
  type Effects,
  refused,
  type TimerChanges,
  type Due,
  dueIn,
} from './decision.ts';
export {
  invalid,
  kindOf,
  notFound,
  type Refusal,
  type RefusalCode,
  type RefusalKind,
  Refused,
  refusal,
  refusalCodes,
  unlessNotFound,
} from './refusal.ts';
