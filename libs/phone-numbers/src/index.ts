export { type CallableNumber, type CallingRules, isAllowedDestination, readCallableNumber } from './callable-number.ts';
export { isCountryCode } from './destination.ts';
export { emergencyNumberOf, readEmergencyNumber } from './emergency-numbers.ts';
export { type PhoneNumber, readPhoneNumber } from './phone-number.ts';
