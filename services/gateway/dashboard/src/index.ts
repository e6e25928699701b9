export { bundleDashboard, type Dashboard, type DashboardFile, scriptsOf } from './bundle.ts';
