export { type Decision, type DecisionWith, decided, type Effects, refused, type TimerChanges } from './decision.ts';
export { type Due, dueIn } from './due.ts';
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
