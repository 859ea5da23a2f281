"""Work that takes long: what there is of it, who does it, and where.

A server asks its `Desk`. That has a job done in a thread of the server or, if there are workers
(`ludoteca work`) on the same database, by one of these. A job is a kind and a payload, plain data; a kind is
a function from payload to result (`kinds.KINDS`). So it comes to the same wherever it is done.

Nothing here knows pages, requests or the network: a worker loads no package of a web server.
"""

from ludoteca.work.desk import Desk, result_of
from ludoteca.work.jobs import Bots, Conditions, Job, LostJob

__all__ = ['Bots', 'Conditions', 'Desk', 'Job', 'LostJob', 'result_of']
