package protocol

import "sync"

// approvals brings each approval to the request that waits for it.
type approvals struct {
	mutex   sync.Mutex
	waiting map[int64]chan bool
}

func (a *approvals) expect(id int64) <-chan bool {
	answer := make(chan bool, 1)
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.waiting == nil {
		a.waiting = make(map[int64]chan bool)
	}
	a.waiting[id] = answer
	return answer
}

func (a *approvals) forget(id int64) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.waiting, id)
}

// deliver drops an approval that was not asked for, and a second one for the same request.
func (a *approvals) deliver(id int64, approved bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if answer, known := a.waiting[id]; known {
		answer <- approved // the channel has room for one, and the next line makes it the only one
		delete(a.waiting, id)
	}
}
