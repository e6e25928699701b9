export { bundleDashboard, type Dashboard, type DashboardFile } from './bundle.ts';
