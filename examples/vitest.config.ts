import { project } from '../vitest.shared.ts';

export default project('examples', { setupFiles: ['test/checked-requests.ts'] });
