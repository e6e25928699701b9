import type { Check } from '../check.ts';
import { assignmentChecks } from './assignments.ts';
import { permissionChecks } from './permissions.ts';

export const roleChecks: readonly Check[] = [...assignmentChecks, ...permissionChecks];
