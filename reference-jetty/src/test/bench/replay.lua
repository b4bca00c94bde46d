-- Replays the file in PAYMENTS, a request target and a payment header a line, each line once; stops when it is used up.
-- With THREADS each thread has a file of its own, PAYMENTS with a dot and its number, from 0 on: payments that must keep their order.
-- Without PAYMENTS it repeats the address of the command line. Prints one line of numbers for src/test/bench/run.
local lines = {}
local next_line = 0

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(arguments)
  local file = os.getenv("PAYMENTS")
  if file and os.getenv("THREADS") then
    file = file .. "." .. number
    -- wrk asks the first thread for one request more, which it does not send.
    next_line = number == 0 and -1 or 0
  end
  if file then
    for line in io.lines(file) do
      lines[#lines + 1] = line
    end
  end
end

function request()
  if #lines == 0 then
    return wrk.format()
  end
  next_line = next_line + 1
  if next_line > #lines then
    wrk.thread:stop()
    next_line = #lines
  end
  local target, payment = lines[math.max(next_line, 1)]:match("^(%S+) (%S+)$")
  return wrk.format("GET", target, { ["Host"] = wrk.headers["Host"], ["PAYMENT-SIGNATURE"] = payment })
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format("figures\t%.0f\t%.3f\t%.3f\t%d\t%d\t%d\n",
    summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    summary.requests,
    failed.status,
    failed.connect + failed.read + failed.write + failed.timeout))
end
