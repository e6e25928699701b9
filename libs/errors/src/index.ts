export { type Decision, decided, refused } from './decision.ts';
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
} from './refusal.ts';
